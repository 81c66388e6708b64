/** Makes a Set-Cookie header: of this site alone, and out of reach of scripts. */
export function formatCookie(name: string, value: string, options: { maxAge: number; isSecure: boolean }): string {
  const secure = options.isSecure ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${options.maxAge}; HttpOnly; SameSite=Lax${secure}`
}
