import * as z from 'zod/mini'
import { nonEmptyString } from '../../src/protocol/fields.ts'
import { parsedListOf } from '../../src/protocol/parsedListOf.ts'
import { tabCommandStateSchema } from './tabCommandStateSchema.ts'

/** A session's commands as its owner has them. */
export const tabCommandsSchema = z.object({
  states: parsedListOf(tabCommandStateSchema),
  /** The keys of each action's newest. */
  latest: parsedListOf(nonEmptyString),
  endedRuns: parsedListOf(nonEmptyString),
})

/** What a session's owner says of its commands. */
export type TabCommandsSaid = z.infer<typeof tabCommandsSchema>
