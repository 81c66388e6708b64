import * as z from 'zod'
import { listOf } from '../listOf.ts'

const list = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()])))
const number = z
  .string()
  .regex(/^\d{1,9}$/, 'Give a whole number.')
  .transform(Number)
const patterns = z
  .string()
  .default('[]')
  .transform((text, context) => {
    try {
      return listOf(z.string().min(1)).parse(JSON.parse(text))
    } catch {
      context.addIssue({ code: 'custom', message: 'Give a JSON list of regular expressions.' })
      return z.NEVER
    }
  })

const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: number.default(8787),
  DATA_DIR: z.string().optional(),
  DATABASE_URL: z.string().optional(),
  SESSION_SECRET: z.string().min(32, 'Give at least 32 characters.').optional(),
  NODE_NAME: z.string().optional(),
  STATIC_DIR: z.string().optional(),
  ALLOWED_HOSTS: list,
  TRUSTED_PROXIES: number.default(0),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: z.string().optional(),
  MODEL: z.string().optional(),
  MODELS: list,
  TOKEN_DELAY_MS: number.default(15),
  GATHER_MS: number.optional(),
  MAX_RUNNING_RUNS: number.optional(),
  MAX_STREAMS: number.optional(),
  MAX_CONNECTIONS: number.optional(),
  MAX_NEWCOMERS: number.optional(),
  RATE_LIMIT: number.optional(),
  RETENTION_HOURS: number.optional(),
  LEASE_SECONDS: number.optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  METRICS_TOKEN: z.string().optional(),
  SECRET_PATTERNS: patterns,
  CRASH_AT: z.string().optional(),
})

/** What the environment says, read and checked. */
export type Settings = z.infer<typeof environment>

/**
 * Reads the server's settings from environment variables; an empty one counts as none.
 *
 * @throws Error that names what is wrong, without its value, which may be a secret.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(given)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`The environment does not fit. ${issues.join(' ')}`)
}
