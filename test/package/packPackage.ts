import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { root } from '../support/root.ts'
import { readManifest } from './readManifest.ts'
import { runCommand } from '../support/runCommand.ts'

export interface PackedPackage {
  readonly tarball: string
  /** The files in it, relative to the package. */
  readonly files: readonly string[]
  /** A project that has the package, its dependencies and its peers, and nothing else. */
  readonly project: string
  /** The package in that project. */
  readonly folder: string
  readonly remove: () => Promise<void>
}

const PackReport = z.tuple([z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })])

/** Builds and packs the package as `npm publish` would, and installs it in a project of its own. */
export const packPackage = async (): Promise<PackedPackage> => {
  await runCommand('node', [join(root, 'node_modules/tsdown/dist/run.mjs'), '--logLevel', 'warn'], { cwd: root })
  const temporary = await mkdtemp(join(tmpdir(), 'redux-agent-package-'))
  const packed = await runCommand('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', temporary], {
    cwd: root,
  })
  const [{ filename, files }] = PackReport.parse(JSON.parse(packed))
  const tarball = join(temporary, filename)
  const project = join(temporary, 'project')
  const folder = join(project, 'node_modules', 'redux-agent')
  await runCommand('tar', ['-xzf', filename], { cwd: temporary })
  await mkdir(dirname(folder), { recursive: true })
  await cp(join(temporary, 'package'), folder, { recursive: true })
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }))

  const { dependencies, peerDependencies } = await readManifest(folder)
  for (const name of [...Object.keys(dependencies), ...Object.keys(peerDependencies), '@types/react']) {
    const link = join(project, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(root, 'node_modules', name), link, 'junction')
  }
  return {
    tarball,
    files: files.map(({ path }) => path),
    project,
    folder,
    remove: () => rm(temporary, { recursive: true, force: true }),
  }
}
