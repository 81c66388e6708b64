// jsdom 29 has no types of its own, and those of @types are of other versions: this is the little that is used.
declare module 'jsdom' {
  export class JSDOM {
    constructor(html?: string)
    readonly window: Window & typeof globalThis
  }
}
