import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * What a command prints on its standard output.
 *
 * @throws Error with all that the command printed when it fails
 */
export const runCommand = async (
  command: 'node' | 'npm' | 'tar',
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<string> => {
  const onWindows = process.platform === 'win32'
  try {
    const { stdout } = await run(command === 'node' ? process.execPath : command, [...args], {
      cwd,
      shell: onWindows && command === 'npm',
      maxBuffer: 64 * 1024 * 1024,
      // Vitest's own settings are not the command's.
      env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: '', FORCE_COLOR: '0', VITEST: '', ...env },
    })
    return stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout ?? ''}${stderr ?? ''}`, { cause: error })
  }
}
