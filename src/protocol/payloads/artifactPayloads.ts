import * as z from 'zod/mini'
import { agentErrorSchema } from '../agentError.ts'
import { nonEmptyString, optionalJson, optionalText, optionalVersion, requiredJson } from '../fields.ts'

const artifactId = nonEmptyString

export const artifactPayloads = {
  'artifact.created': z.object({
    artifactId,
    name: nonEmptyString,
    mediaType: optionalText,
    content: optionalJson,
  }),
  'artifact.updated': z.object({ artifactId, content: requiredJson, version: optionalVersion }),
  'artifact.completed': z.object({ artifactId, content: optionalJson, version: optionalVersion }),
  'artifact.failed': z.object({ artifactId, error: agentErrorSchema }),
}
