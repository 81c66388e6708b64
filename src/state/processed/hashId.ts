/** FNV-1a over UTF-16 units, then mixed: ids often differ in their last digits only. */
export function hashId(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
