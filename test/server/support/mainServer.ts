// The run server as it is started by hand, in a process of its own.
await import('../../../demo/server/main.ts')

export {}
