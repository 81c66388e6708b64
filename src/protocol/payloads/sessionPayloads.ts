import * as z from 'zod/mini'
import { optionalText } from '../fields.ts'

export const sessionPayloads = {
  'session.started': z.object({ title: optionalText }),
}
