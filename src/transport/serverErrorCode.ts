import * as z from 'zod/mini'

/** A server's literal error code: a code alone, since an error's words may repeat what a person wrote. */
export const serverErrorCode = z.string().check(z.regex(/^[\w.:-]{1,64}$/))
