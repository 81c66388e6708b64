import { isJsonValue } from '../../protocol/isJsonValue.ts'

/** Says whether a value may stand in an event, which is as deep as JSON may be there. */
export const fitsEvent = (value: unknown): boolean => isJsonValue({ payload: { field: { value } } })
