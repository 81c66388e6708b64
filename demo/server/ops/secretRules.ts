/**
 * What a secret looks like, as sources of regular expressions; none reaches over a quote, so that JSON stays JSON. What
 * has to be followed by something is bounded: a text of nothing but beginnings would cost the square of its length.
 */
export interface SecretRule {
  /** The secret; what a group `keep…` matches stands, so that a reader sees what was taken out. */
  readonly whole: string
  /** The same at the end of a text, once the secret itself has begun: it may go on. */
  readonly open: string
}

const body = '[A-Za-z0-9_-]'
const quote = `\\\\*["']`
const space = '[ \\t]{0,4}'

/** Keys that say by how they begin what they are. */
const beginnings = [
  ...['sk-', 'sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'github_pat_', 'glpat-', 'hf_', 'AIza', 'AKIA'],
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'xoxa-', 'xoxb-', 'xoxp-', 'xoxr-', 'xoxs-', 'eyJ'],
].sort((one, other) => other.length - one.length)

const names = [
  ...['api[-_]?key', 'access[-_]?token', 'refresh[-_]?token', 'id[-_]?token', 'client[-_]?secret', 'secret[-_]?key'],
  ...['private[-_]?key', 'passw(?:or)?d', 'cookie'],
].join('|')
const label = `(?:${quote})?${space}`
const scheme = '(?:bearer|basic|token|apikey|digest)[ \\t]+'

/** A value that somebody has made up, and no name of a variable: it holds a digit. */
const value = `(?=[^\\s\\d"'\\\\,;&<>()\\[\\]{}$]{0,200}\\d)[^\\s"'\\\\,;&<>()\\[\\]{}$]{6,}`
const quoted = `(?=[^\\d"'\\\\\\r\\n$<{]{0,200}\\d)[^"'\\\\\\r\\n$<{]{6,}`

/** What counts as a secret wherever it stands. */
export const secretRules: readonly SecretRule[] = [
  // First: what follows would take the header's value for less than it is.
  {
    whole:
      `(?<keepHeader>authorization${label}[:=]${space}(?:${quote})?)` +
      `(?:${scheme}[^\\s"'\\\\,;]{6,}|[^\\s"'\\\\,;]{12,})`,
    open: `authorization(?:${quote})?${space}[:=]${space}(?:${quote})?(?:[a-z]+[ \\t]+)?[^\\s"'\\\\,;]+`,
  },
  {
    whole: `(?<keepCookie>cookie(?:${quote})?${space}:${space}(?:${quote})?)[^\\s=;"'\\\\]{1,128}=[^"'\\\\\\r\\n]{4,}`,
    open: `cookie(?:${quote})?${space}:${space}(?:${quote})?[^\\s=;"'\\\\]{1,128}(?:=[^"'\\\\\\r\\n]*)?`,
  },
  {
    whole: `(?<keepScheme>(?<![A-Za-z0-9])bearer[ \\t]+)[A-Za-z0-9._~+/=-]{16,}`,
    open: `(?<![A-Za-z0-9])bearer[ \\t]+[A-Za-z0-9._~+/=-]+`,
  },
  {
    whole:
      `(?<keepName>(?:${names})${label}(?:=${space}(?=[^"'\\\\])|[:=]${space}(?=${quote})${quote}))` +
      `(?:(?<=["'])${quoted}|${value})`,
    open: `(?:${names})(?:${quote})?${space}[:=]${space}(?:${quote}[^"'\\\\\\r\\n]+|[^\\s"'\\\\,;&<>()\\[\\]{}$]+)`,
  },
  {
    whole: `(?<keepKey>api-key${space}:${space})[^\\s"'\\\\,;]{12,}`,
    open: `api-key${space}:${space}[^\\s"'\\\\,;]+`,
  },
  {
    // A password within an address.
    whole: `(?<keepUser>:\\/\\/[^\\s:@/"']{1,100}:)[^\\s@/"']{3,}(?=@)`,
    open: `:\\/\\/[^\\s:@/"']{1,100}:[^\\s@/"']{1,300}`,
  },
  {
    whole: `-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^"']*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|(?=["'])|$)`,
    open: `-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^"']*`,
  },
  {
    whole: `(?<![A-Za-z0-9])(?:${beginnings.join('|')})${body}{14,}(?:\\.${body}*)*`,
    open: `(?<![A-Za-z0-9])(?:${beginnings.join('|')})${body}*(?:\\.${body}*)*`,
  },
]

/** Names of fields whose value is one, whatever it looks like. */
export const secretFields = new RegExp(
  `^(?:${names}|(?:proxy-)?authorization|set-cookie|x-api-key|bearer|session[-_]?secret)$`,
  'i',
)
