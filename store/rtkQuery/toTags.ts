/**
 * Makes the tags of an entry, none where the app named no type. RTK Query looks for a tag's id in plain records: one
 * that these have from their prototype, such as `constructor`, would throw there, and is left out of its tag.
 */
export function toTags(type: string | undefined, id: string): { type: string; id?: string }[] {
  if (type === undefined) return []
  return id in Object.prototype ? [{ type }] : [{ type, id }]
}
