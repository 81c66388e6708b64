import { createApiReader, type ApiMember, type ApiReader } from './readApi.ts'
import { readEntries } from './readEntries.ts'

/** Types whose members an app calls as much as exports: what a runtime has. */
const parts = [
  {
    ...{ title: 'Actions', entry: 'redux-agent', type: 'AgentRuntimeActions' },
    about: '`agent.actions`: thunks for `dispatch`.',
  },
  {
    ...{ title: 'Selectors', entry: 'redux-agent', type: 'AgentSelectors' },
    about: '`agent.selectors`: they take the root state.',
  },
  {
    ...{ title: 'Hooks', entry: 'redux-agent/react', type: 'AgentHooks' },
    about: 'On an `agent` of `redux-agent/react`; see [useXChat](use-x-chat.md).',
  },
] as const

const mark = (isExperimental: boolean) => (isExperimental ? ' *Experimental.*' : '')

const listMember = ({ declaration, summary, isExperimental }: ApiMember) =>
  `- \`${declaration}\`${summary === '' ? '' : `: ${summary}`}${mark(isExperimental)}`

/** Writes the index of all that the package exports, in Markdown. */
export function writeApi(): string {
  const { entries, options } = readEntries()
  return formatApi([...entries.keys()], createApiReader(entries, options))
}

/** Puts the values of each entry into Markdown, then what a runtime has. */
function formatApi(entries: readonly string[], reader: ApiReader): string {
  const sections = entries.map((entry) => {
    const values = reader.readExports(entry).map(({ name, signatures, summary, isExperimental, codes, options }) =>
      [
        `### ${name}`,
        signatures.map((signature) => `\`${signature}\``).join('\n\n'),
        `${summary}${mark(isExperimental)}`,
        ...(codes.length > 0 ? [`Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`] : []),
        ...(options.length > 0 ? [options.map(listMember).join('\n')] : []),
      ].join('\n\n'),
    )
    return [`## ${entry}`, ...values].join('\n\n')
  })
  const members = parts.map(({ title, entry, type, about }) =>
    [`### ${title}`, about, reader.readMembers(entry, type).map(listMember).join('\n')].join('\n\n'),
  )
  return `${[head, ...sections, '## What a runtime has', ...members].join('\n\n')}\n`
}

const head = `# API

All values that the package exports, by entry, and what a runtime has. Made of the doc comments by \`npm run docs:api\`; a
test fails where it is not up to date. The comments say more, an example of each function among it, and are in the
package's types, where the types that are named here stand as well. \`redux-agent/styles.css\` is the one entry without values.`
