import type { Hono, NotFoundHandler } from 'hono'
import { RunServerError } from '../runServerError.ts'
import type { HttpEnv } from './httpEnv.ts'

/** Says of an address that it takes other methods (405), or that there is nothing (404). */
export function createNotFound(app: Hono<HttpEnv>): NotFoundHandler<HttpEnv> {
  return ({ req }) => {
    const isRoute = (method: string, path: string) => method !== 'ALL' && !path.endsWith('*')
    const routes = app.routes.filter(({ method, path }) => isRoute(method, path) && isAt(path, req.path))
    const methods = [...new Set(routes.map(({ method }) => method))]
    if (methods.length > 0 && !methods.includes(req.method)) {
      throw new RunServerError({
        status: 405,
        code: 'method_not_allowed',
        message: `This address takes ${methods.join(', ')}.`,
        headers: { allow: methods.join(', ') },
      })
    }
    throw new RunServerError({ status: 404, code: 'not_found', message: 'There is nothing at this address.' })
  }
}

function isAt(pattern: string, path: string): boolean {
  const [wanted, parts] = [pattern.split('/'), path.split('/')]
  return (
    wanted.length === parts.length &&
    wanted.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))
  )
}
