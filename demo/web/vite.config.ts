import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type ProxyOptions } from 'vite'

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// The demo imports the package by its public entries, as an app would; here they lead to the source.
const packageEntries = [
  { find: /^redux-agent$/, replacement: fromHere('../../store/index.ts') },
  { find: /^redux-agent\/rtk-query$/, replacement: fromHere('../../store/rtkQuery/rtkQuery.ts') },
  { find: /^redux-agent\/react$/, replacement: fromHere('../../features/index.ts') },
  {
    find: /^redux-agent\/adapters\/run-server$/,
    replacement: fromHere('../../src/adapters/runServer/runServer.ts'),
  },
  { find: /^redux-agent\/styles\.css$/, replacement: fromHere('../../features/styles.css') },
]

// The proxy pipes each chunk on as it comes: nothing here compresses or gathers, so event streams stay live.
const api: ProxyOptions = {
  target: process.env.RUN_SERVER_URL ?? 'http://127.0.0.1:8787',
  configure: (server) => {
    // By itself it leaves an answer open that the run server broke off, and the page would wait for what cannot come.
    server.on('proxyRes', (answer, _request, response) => {
      answer.on('close', () => {
        if (!answer.complete) response.destroy()
      })
    })
  },
}
const proxy = { '/api': api }

// What a careful host would send. Only the built form is held to it: the dev server's hot reload needs inline scripts.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export default defineConfig({
  root: fromHere('.'),
  plugins: [react()],
  resolve: { alias: packageEntries, dedupe: ['react', 'react-dom', 'react-redux', '@reduxjs/toolkit'] },
  // Imported by the package's source alone, where it may be found late, which costs the page a reload.
  optimizeDeps: { include: ['redux-persist'] },
  // A page that is being tested is not reloaded under the test by an edit.
  server: { proxy, ...(process.env.VITEST && { watch: null }) },
  preview: { proxy, headers: { 'Content-Security-Policy': contentSecurityPolicy } },
  build: {
    outDir: fromHere('dist'),
    emptyOutDir: true,
    // Small files as data: URLs would need a wider policy for fonts and styles.
    assetsInlineLimit: 0,
    // The first browsers that know light-dark(), so that it is left as it is written.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
})
