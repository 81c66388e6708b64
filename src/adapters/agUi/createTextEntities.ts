import type { AgUiMeta } from './agUiMeta.ts'
import type { SavedText } from './agUiProgress.ts'
import { createSavedEntries } from './createSavedEntries.ts'

/** How a text begins. */
export interface TextStart {
  readonly role?: string | undefined
  readonly meta: AgUiMeta
}

/** Text that streams in under an id of the wire: a message, or a stretch of reasoning. */
export interface TextEntity {
  readonly id: string
  readonly wireId: string
  text: string
  isOpen: boolean
  meta: AgUiMeta
  /** What comes again is compared with what is held, and only what is beyond it is new. */
  replay?: Replay | undefined
  /** Whether it was there before this connection, which has not spoken of it yet. */
  isRestored: boolean
  /** The AG-UI run that it is of; none where that was over before this connection. */
  readonly wireRunId: string | undefined
}

interface Replay {
  text: string
  isSame: boolean
  /** The text within JSON, where it is not the same. */
  json?: string | undefined
  /** How much that comes first is of the text before it. */
  skip: number
  /** What had ended begins again: how, and under which id, should it prove to be something else. */
  begun?: { readonly wireId: string; readonly start: TextStart; json?: string } | undefined
}

/** All texts of one kind. The wire's id may open again after its end: then the text goes on in another entity. */
export interface TextEntities {
  start(wireId: string, start: TextStart): TextEntity
  /** Appends; `false` where no text is open under the id. */
  append(wireId: string, delta: string): boolean
  end(wireId: string): void
  /** Ends one text, whatever its id means by now. */
  close(entity: TextEntity): void
  /** Takes what the runtime says the whole text is; of one that opened again, the last part is what may change. */
  reconcile(entity: TextEntity, text: string): void
  /** Notes that a snapshot tells a text; a replay that has not come to it finds it told. */
  tell(wireId: string): void
  /** Lets a second id of the wire mean the same text. */
  alias(entity: TextEntity, wireId: string): void
  /** The text that an id means now. */
  find(wireId: string): TextEntity | undefined
  /** Takes what is known; what is of an `isEarlier` AG-UI run is not told again by a replay of this one. */
  seed(entity: Pick<TextEntity, 'id' | 'text' | 'isOpen' | 'meta'>, isEarlier?: boolean): TextEntity
  /** Gives what of them no entity shows, and takes it back on the next connection. */
  save(): string | undefined
  restore(saved: readonly SavedText[]): void
  all(): readonly TextEntity[]
}

interface Series {
  readonly entities: TextEntity[]
  /** Which of them the id's next start means: one that is known where it is replayed, or a new one. */
  next: number
}

export function createTextEntities(options: {
  replaysAll: boolean
  getWireRunId: () => string
  begin: (entity: TextEntity, start: TextStart) => void
  append: (entity: TextEntity, delta: string) => void
  /** Ends the entity; `content` replaces its text where that turned out to be another one. */
  finish: (entity: TextEntity, content: string | undefined) => void
}): TextEntities {
  const { replaysAll, getWireRunId, begin, append, finish } = options
  const series = new Map<string, Series>()
  const entities: TextEntity[] = []
  const ids = new Set<string>()
  /** What is told again under an id. */
  const replayed = new Map<string, TextEntity>()
  /** The AG-UI run that has said again what had ended before it, by id: its next start is another text. */
  const saidAgain = new Map<string, string>()
  const saved = createSavedEntries()
  /** Ids of which there may be something else in hand than was saved. */
  const changed = new Set<string>()
  let savedRun = getWireRunId()

  const replayIdOf = ({ wireId, replay }: TextEntity) => replay?.begun?.wireId ?? wireId

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
    // What a replay has not come to is not there yet.
    return known?.entities[known.next - 1]
  }

  function grow(entity: TextEntity, delta: string) {
    if (delta === '') return
    entity.text += delta
    append(entity, delta)
  }

  function replay(entity: TextEntity, how: Partial<Replay> = {}): TextEntity {
    endReplay(entity)
    entity.replay = { text: '', isSame: true, skip: 0, ...how }
    entity.isRestored = false
    replayed.set(replayIdOf(entity), entity)
    changed.add(replayIdOf(entity))
    return entity
  }

  function endReplay(entity: TextEntity) {
    const id = replayIdOf(entity)
    entity.replay = undefined
    if (replayed.get(id) === entity && replayed.delete(id)) changed.add(id)
  }

  function saySaidAgain(wireId: string) {
    saidAgain.set(wireId, getWireRunId())
    changed.add(wireId)
  }

  /** The JSON of what is in hand of an id, if anything is. */
  function toSaved(id: string): string | undefined {
    const again = replayed.get(id)?.replay
    const isAgain = saidAgain.get(id) === getWireRunId()
    if (!again && !isAgain) return undefined
    let json = `{"id":${JSON.stringify(id)}`
    if (isAgain) json += ',"isAgain":true'
    if (!again) return `${json}}`
    if (again.isSame) json += `,"at":${again.text.length}`
    // A text's JSON grows as it does, by strings that share what there was of it.
    else json += `,"instead":"${(again.json ??= withinJson(again.text))}"`
    const { begun } = again
    if (begun) json += `,"begun":${(begun.json ??= JSON.stringify(begun.start))}`
    return `${json}}`
  }

  function compare(entity: TextEntity, wire: string) {
    const again = entity.replay!
    const delta = wire.slice(again.skip)
    again.skip -= Math.min(again.skip, wire.length)
    const from = again.text.length
    again.text += delta
    if (again.json !== undefined) again.json += withinJson(delta)
    changed.add(replayIdOf(entity))
    if (!again.isSame || (!entity.isOpen && !again.begun)) return
    const held = entity.text.slice(from, from + delta.length)
    if (again.begun) {
      if (delta !== held) reopen(entity, again.begun, delta.startsWith(held))
    } else if (delta.startsWith(held)) grow(entity, delta.slice(held.length))
    else again.isSame = false
  }

  /** Goes on in another entity: these are not the words again that have ended, or they are longer. */
  function reopen(entity: TextEntity, { wireId, start }: NonNullable<Replay['begun']>, isLonger: boolean) {
    const { text } = entity.replay!
    endReplay(entity)
    const skipped = isLonger ? entity.text.length : 0
    grow(create(wireId, start, skipped > 0 ? { skipped } : {}), text.slice(skipped))
  }

  function create(wireId: string, start: TextStart, how: AgUiMeta): TextEntity {
    const id = mintId(wireId, series.get(wireId)?.entities.length ?? 0)
    const meta = { ...how, ...(id !== wireId && { messageId: wireId }) }
    const entity = { id, wireId, text: '', isOpen: true, meta, isRestored: false, wireRunId: getWireRunId() }
    const known = add(entity)
    known.next = known.entities.length
    begin(entity, start)
    return entity
  }

  function finishNow(entity: TextEntity) {
    const again = entity.replay
    endReplay(entity)
    if (!entity.isOpen) return
    const isOther = again !== undefined && (!again.isSame || again.text.length < entity.text.length)
    if (isOther) entity.text = again.text
    entity.isOpen = false
    finish(entity, isOther ? entity.text : undefined)
  }

  /** What of a whole text is its last part, where its id has opened again; nothing where it is not these parts. */
  function partOf(entity: TextEntity, whole: string): string | undefined {
    const parts = series.get(entity.wireId)!.entities
    const before = parts.slice(0, parts.indexOf(entity)).map(({ text }) => text).join('')
    if (whole.startsWith(before)) return whole.slice(before.length)
    // An AG-UI run may say something else under a known id.
    return whole.startsWith(entity.text) || entity.text.startsWith(whole) ? whole : undefined
  }

  function alias(entity: TextEntity, wireId: string) {
    if (!series.has(wireId)) series.set(wireId, { entities: [entity], next: 1 })
  }

  return {
    find,
    alias,
    close: finishNow,
    all: () => entities,

    start(wireId, start) {
      const known = series.get(wireId)
      if (!known) return create(wireId, start, {})
      const hasSaidAgain = saidAgain.get(wireId) === getWireRunId()
      const repeated = known.entities[known.next]
      // Before some texts the AG-UI run said again what there was, of which there is no other trace.
      if (repeated && (hasSaidAgain || !repeated.meta.isAfterAgain)) {
        known.next += 1
        return replay(repeated, { skip: repeated.meta.skipped ?? 0 })
      }
      const last = known.entities[known.next - 1] ?? known.entities.at(-1)!
      if (last.isOpen) {
        // Begun anew on a connection that goes on with it: what follows is the text from its start.
        return last.isRestored ? replay(last) : last
      }
      const isEarlier = last.wireRunId !== getWireRunId()
      if (isEarlier && !hasSaidAgain) {
        // What had ended begins again, as some runtimes have it after an answer: it may be the same words.
        saySaidAgain(wireId)
        return replay(last, { begun: { wireId, start } })
      }
      return create(wireId, start, isEarlier ? { isAfterAgain: true } : {})
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

    tell(wireId) {
      const known = series.get(wireId)
      if (known?.next === 0) known.next = 1
    },

    reconcile(entity, whole) {
      const text = partOf(entity, whole)
      if (text === undefined) return
      const again = entity.replay
      if (again) changed.add(replayIdOf(entity))
      // What is replayed need not come in deltas.
      if (again?.isSame && again.skip === 0 && text.startsWith(again.text) && entity.text.startsWith(text)) again.text = text
      if (!entity.isOpen || entity.text.startsWith(text)) return
      if (text.startsWith(entity.text)) {
        grow(entity, text.slice(entity.text.length))
        if (again?.isSame) again.text = text
      } else {
        // A text cannot be taken back while it streams; its end states the right one.
        replay(entity, { text, isSame: false })
      }
    },

    seed({ id, text, isOpen, meta }, isEarlier = false) {
      const { messageId = id } = meta
      const isReopened = id === messageId || id.startsWith(`${messageId}#`)
      const wireRunId = isEarlier ? undefined : getWireRunId()
      const entity = { id, text, isOpen, meta, wireId: isReopened ? messageId : id, isRestored: true, wireRunId }
      const known = add(entity)
      if (!replaysAll || isEarlier) known.next = known.entities.length
      if (!isReopened) alias(entity, messageId)
      return entity
    },

    save() {
      // Each AG-UI run says again by itself.
      if (savedRun !== getWireRunId()) for (const id of saidAgain.keys()) changed.add(id)
      savedRun = getWireRunId()
      for (const id of changed) saved.set(id, toSaved(id))
      changed.clear()
      return saved.toJson()
    },

    restore(known) {
      for (const { id, isAgain, at, instead, begun } of new Map(known.map((text) => [text.id, text])).values()) {
        const entity = find(id)
        if (!entity) continue
        if (isAgain) saySaidAgain(id)
        if (instead !== undefined) replay(entity, { text: instead, isSame: false })
        else if (at !== undefined) {
          replay(entity, { text: entity.text.slice(0, at), ...(begun && { begun: { wireId: id, start: begun } }) })
        }
      }
    },
  }
}

/** Text as it stands between the quotes of JSON. */
const withinJson = (text: string) => JSON.stringify(text).slice(1, -1)
