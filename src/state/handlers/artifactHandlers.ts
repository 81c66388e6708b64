import { settle } from '../settle.ts'
import type { EventHandlers } from '../eventWriter.ts'
import { omitUndefined } from '../omitUndefined.ts'

type ArtifactEventType = 'artifact.created' | 'artifact.updated' | 'artifact.completed' | 'artifact.failed'

export const artifactHandlers: EventHandlers<ArtifactEventType> = {
  'artifact.created': (writer, event) => {
    const { artifactId, name, mediaType, content } = event.payload
    const stated = omitUndefined({ mediaType, content })
    return writer.add(event, 'artifact', { id: artifactId, name, status: 'streaming', ...stated })
  },

  'artifact.updated': (writer, event) => {
    const { artifactId, content, version } = event.payload
    const artifact = writer.open(event, 'artifact', artifactId)
    if (!artifact) return false
    Object.assign(artifact, omitUndefined({ content, version }))
    return true
  },

  'artifact.completed': (writer, event) => {
    const { artifactId, content, version } = event.payload
    const artifact = writer.open(event, 'artifact', artifactId)
    if (!artifact) return false
    Object.assign(artifact, omitUndefined({ content, version }))
    return settle(artifact, { status: 'completed' })
  },

  'artifact.failed': (writer, event) => {
    const artifact = writer.open(event, 'artifact', event.payload.artifactId)
    return artifact ? settle(artifact, { status: 'failed', error: event.payload.error }) : false
  },
}
