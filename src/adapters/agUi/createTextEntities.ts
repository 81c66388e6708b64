import type { AgUiMeta } from './agUiMeta.ts'

type BeginText = (entity: TextEntity) => void

/** Text that streams in under an id of the wire: a message, or a stretch of reasoning. */
export interface TextEntity {
  readonly id: string
  readonly wireId: string
  text: string
  isOpen: boolean
  meta: AgUiMeta
  /** What comes again is compared with what is held, and only what is beyond it is new. */
  replay?: { text: string; isSame: boolean; begin?: BeginText | undefined } | undefined
  /** Whether it was there before this connection, which has not spoken of it yet. */
  isRestored: boolean
}

/** All texts of one kind. The wire's id may open again after its end: then the text goes on in another entity. */
export interface TextEntities {
  start(wireId: string, begin: BeginText): TextEntity
  /** Appends; `false` where no text is open under the id. */
  append(wireId: string, delta: string): boolean
  end(wireId: string): void
  /** Ends one text, whatever its id means by now. */
  close(entity: TextEntity): void
  /** Takes what the runtime says the whole text is. */
  reconcile(entity: TextEntity, text: string): void
  /** Lets a second id of the wire mean the same text. */
  alias(entity: TextEntity, wireId: string): void
  /** The text that an id means now. */
  find(wireId: string): TextEntity | undefined
  /** Takes what is known; what is of an `isEarlier` AG-UI run is not told again by a replay of this one. */
  seed(entity: Omit<TextEntity, 'isRestored'>, isEarlier?: boolean): void
  all(): readonly TextEntity[]
}

interface Series {
  readonly entities: TextEntity[]
  /** Which of them the id's next start means: one that is known where it is replayed, or a new one. */
  next: number
}

export function createTextEntities(options: {
  replaysAll: boolean
  append: (entity: TextEntity, delta: string) => void
  /** Ends the entity; `content` replaces its text where that turned out to be another one. */
  finish: (entity: TextEntity, content: string | undefined) => void
}): TextEntities {
  const { replaysAll, append, finish } = options
  const series = new Map<string, Series>()
  const entities: TextEntity[] = []
  const ids = new Set<string>()

  function mintId(wireId: string, count: number): string {
    let number = count + 1
    let id = count === 0 ? wireId : `${wireId}#${number}`
    while (ids.has(id)) id = `${wireId}#${(number += 1)}`
    return id
  }

  function add(entity: TextEntity): Series {
    ids.add(entity.id)
    entities.push(entity)
    const known = series.get(entity.wireId) ?? { entities: [], next: 0 }
    known.entities.push(entity)
    series.set(entity.wireId, known)
    return known
  }

  function find(wireId: string): TextEntity | undefined {
    const known = series.get(wireId)
    return known && (known.entities[known.next - 1] ?? known.entities.at(-1))
  }

  function grow(entity: TextEntity, delta: string) {
    if (delta === '') return
    entity.text += delta
    append(entity, delta)
  }

  function compare(entity: TextEntity, delta: string) {
    const replay = entity.replay!
    const from = replay.text.length
    replay.text += delta
    if (!replay.isSame || (!entity.isOpen && !replay.begin)) return
    const held = entity.text.slice(from, from + delta.length)
    if (replay.begin) {
      if (delta !== held) reopen(entity, delta.startsWith(held))
    } else if (delta.startsWith(held)) grow(entity, delta.slice(held.length))
    else replay.isSame = false
  }

  /** Goes on in another entity: these are not the words again that have ended, or they are longer. */
  function reopen(entity: TextEntity, isLonger: boolean) {
    const { text, begin } = entity.replay!
    entity.replay = undefined
    grow(create(entity.wireId, begin!), isLonger ? text.slice(entity.text.length) : text)
  }

  function create(wireId: string, begin: BeginText): TextEntity {
    const id = mintId(wireId, series.get(wireId)?.entities.length ?? 0)
    const meta = id === wireId ? {} : { messageId: wireId }
    const entity: TextEntity = { id, wireId, text: '', isOpen: true, meta, isRestored: false }
    const known = add(entity)
    known.next = known.entities.length
    begin(entity)
    return entity
  }

  function finishNow(entity: TextEntity) {
    const { replay } = entity
    entity.replay = undefined
    if (!entity.isOpen) return
    const isOther = replay !== undefined && (!replay.isSame || replay.text.length < entity.text.length)
    if (isOther) entity.text = replay.text
    entity.isOpen = false
    finish(entity, isOther ? entity.text : undefined)
  }

  return {
    find,
    close: finishNow,
    all: () => entities,

    start(wireId, begin) {
      const known = series.get(wireId)
      const repeated = known?.entities[known.next]
      if (known && repeated) {
        known.next += 1
        repeated.replay = { text: '', isSame: true }
        return repeated
      }
      const last = known?.entities.at(-1)
      if (last?.isOpen) {
        // Begun anew on a connection that goes on with it: what follows is the text from its start.
        if (last.isRestored) last.replay = { text: '', isSame: true }
        last.isRestored = false
        return last
      }
      if (last?.isRestored) {
        // What had ended begins again, as some runtimes have it after an answer: it may be the same words.
        last.isRestored = false
        last.replay = { text: '', isSame: true, begin }
        return last
      }
      return create(wireId, begin)
    },

    append(wireId, delta) {
      const entity = find(wireId)
      if (!entity || (!entity.isOpen && !entity.replay)) return false
      entity.isRestored = false
      if (entity.replay) compare(entity, delta)
      else grow(entity, delta)
      return true
    },

    end(wireId) {
      const entity = find(wireId)
      if (entity) finishNow(entity)
    },

    reconcile(entity, text) {
      if (!entity.isOpen || entity.text.startsWith(text)) return
      if (text.startsWith(entity.text)) grow(entity, text.slice(entity.text.length))
      // A text cannot be taken back while it streams; its end states the right one.
      else entity.replay = { text, isSame: false }
    },

    alias(entity, wireId) {
      const known = series.get(wireId)
      if (!known) series.set(wireId, { entities: [entity], next: 1 })
    },

    seed(seeded, isEarlier = false) {
      const known = add({ ...seeded, isRestored: true })
      if (!replaysAll || isEarlier) known.next = known.entities.length
    },
  }
}
