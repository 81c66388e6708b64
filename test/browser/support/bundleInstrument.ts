import { build } from 'esbuild'
import { root } from '../../support/root.ts'

/** The store enhancer of Redux DevTools itself, which forgets nothing, as a script that puts it at `window.instrument`. */
export const bundleInstrument = async (): Promise<{ content: string }> => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { instrument } from '@redux-devtools/instrument'
        window.instrument = () => instrument(undefined, { maxAge: Infinity })
      `,
      resolveDir: root,
    },
    bundle: true,
    format: 'iife',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return { content: outputFiles[0]!.text }
}
