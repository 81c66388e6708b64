/** An event stream as bytes, and what it means: `event:data#id`, the id left out where there is none. */
export interface SseInput {
  name: string
  bytes: Uint8Array
  messages: readonly string[]
  /** The reconnection time that the stream asks for, in milliseconds. */
  retry?: number
}

const encoder = new TextEncoder()
const bom = [0xef, 0xbb, 0xbf]

/** Joins text, as UTF-8, and bytes. */
export function toBytes(...parts: readonly (string | readonly number[])[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...encoder.encode(part)] : part)))
}

type Part = string | readonly number[]
const input = (name: string, parts: Part | Part[], messages: readonly string[], retry?: number): SseInput => {
  const list = typeof parts === 'string' || typeof parts[0] === 'number' ? [parts as Part] : (parts as Part[])
  return { name, bytes: toBytes(...list), messages, ...(retry !== undefined && { retry }) }
}

/** What the field's parsers got wrong at some time: line ends, marks, ids, retries, comments, empty fields, Unicode. */
export const sseInputs: readonly SseInput[] = [
  input('all fields with LF', 'id: 1\nevent: a\ndata: x\n\n', ['a:x#1']),
  input('all fields with CRLF', 'id: 1\r\nevent: a\r\ndata: x\r\n\r\n', ['a:x#1']),
  input('all fields with CR, the last event at the end', 'id: 1\revent: a\rdata: x\r\rdata: y\r\r', [
    'a:x#1',
    'message:y#1',
  ]),
  input('all line ends mixed', 'data: A\r\ndata: B\rdata: C\n\r\ndata: D\n\n', ['message:A\nB\nC', 'message:D']),
  input('CRLF then LF', 'data: A\r\n\ndata: B\r\n\n', ['message:A', 'message:B']),
  input('LF then CR', 'data: x\n\rdata: y\n\n', ['message:x', 'message:y']),
  input('CR then CRLF', 'data: x\r\r\ndata: y\r\n\r\n', ['message:x', 'message:y']),
  input('a CRLF after each of three lines', 'data: A\r\ndata: B\r\ndata: C\r\n\n', ['message:A\nB\nC']),
  input('a byte order mark', [bom, 'data: x\n\n'], ['message:x']),
  input('two byte order marks, of which one belongs to the line', [bom, bom, 'data: x\n\ndata: y\n\n'], ['message:y']),
  input('a mark before the second event', ['data: x\n\n', bom, 'data: y\n\n'], ['message:x']),
  input('a mark inside a value', ['data: a', bom, 'b\n\n'], ['message:a\ufeffb']),
  input('three Latin letters that look like a mark', 'ï»¿data: x\n\ndata: y\n\n', ['message:y']),
  input('an id alone in its block', 'id: 7\n\ndata: x\n\n', ['message:x#7']),
  input('an id alone in its block with CR', 'id: 7\r\rdata: x\r\r', ['message:x#7']),
  input('an id without a colon, which clears it', 'id: 7\ndata: x\n\nid\ndata: y\n\n', ['message:x#7', 'message:y']),
  input('an id without a value, which clears it', 'id: 7\ndata: x\n\nid:\ndata: y\n\n', ['message:x#7', 'message:y']),
  input('an id with a NUL in it', 'id: 5\ndata: a\n\nid: 6\x007\ndata: b\n\n', ['message:a#5', 'message:b#5']),
  input('an id with a NUL at its end', 'id: 8\nid: 9\0\ndata: b\n\n', ['message:b#8']),
  input('an id that stays', 'id: 5\ndata: a\n\ndata: b\n\n', ['message:a#5', 'message:b#5']),
  input('two ids in a block', 'id: 1\nid: 2\ndata: x\n\n', ['message:x#2']),
  input('an id after its data', 'data: x\nid: 3\n\n', ['message:x#3']),
  input('an id with spaces around it', 'id:  3 \ndata: x\n\n', ['message:x# 3 ']),
  input('fields that only begin like an id', 'ida: 1\nid : 2\nidentity\n id: 3\ndata: x\n\n', ['message:x']),
  input('a value that reads like an id line', 'data: a id: 9\ndata:id: 8\n\n', ['message:a id: 9\nid: 8']),
  input('a cut before the dispatch', 'id: 1\ndata: a\n\nid: 2\ndata: b\n', ['message:a#1']),
  input('a cut inside the data', 'id: 1\ndata: a\n\nid: 2\ndata: b', ['message:a#1']),
  input('a cut after the id', 'id: 1\ndata: a\n\nid: 2\n', ['message:a#1']),
  input('retry', 'retry: 1500\ndata: x\n\n', ['message:x'], 1500),
  input('retry with letters', 'retry: 10abc\ndata: x\n\n', ['message:x']),
  input('retry that is negative', 'retry: -5\ndata: x\n\n', ['message:x']),
  input('retry that is a fraction', 'retry: 1.5\ndata: x\n\n', ['message:x']),
  input('retry that is empty', 'retry:\ndata: x\n\n', ['message:x']),
  input('retry in scientific notation', 'retry: 1e3\ndata: x\n\n', ['message:x']),
  input('retry without a blank line', 'retry: 777\n', [], 777),
  input('comments between events', ': ping\n\n:\n\n: \n\ndata: x\n\n', ['message:x']),
  input('a comment inside an event', 'data: a\n: hb\ndata: b\n\n', ['message:a\nb']),
  input('a colon alone', ':\n\n', []),
  input('data without anything', 'data\n\ndata:\n\ndata: \n\n', ['message:', 'message:', 'message:']),
  input('data twice without anything', 'data\n\ndata\ndata\n\ndata:', ['message:', 'message:\n']),
  input('an empty first line of data', 'data:\ndata: x\n\n', ['message:\nx']),
  input('an empty last line of data', 'data: x\ndata:\n\n', ['message:x\n']),
  input('a type without data, which is forgotten', 'event: foo\n\ndata: x\n\n', ['message:x']),
  input('an empty type, which is the usual one', 'event: a\nevent:\ndata: x\n\n', ['message:x']),
  input('two spaces before a value, and none', 'data:  two\n\ndata:none\n\n', ['message: two', 'message:none']),
  input('a tab before a value', 'data:\ttab\n\n', ['message:\ttab']),
  input('unknown fields', 'foo: 1\nbar\nDATA: 2\n data: 3\ndata: x\n\n', ['message:x']),
  input('colons in values', 'id: x:1\ndata: a:b:c\n\n', ['message:a:b:c#x:1']),
  input('blank lines before everything', '\n\n\r\n\r\rdata: x\n\n', ['message:x']),
  input('many blank lines between', 'data: x\n\n\n\n\n\ndata: y\n\n', ['message:x', 'message:y']),
  input('an end without a blank line', 'data: x\n\ndata: y\n', ['message:x']),
  input('an end inside a line', 'data: x\n\nda', ['message:x']),
  input('a CR as the last blank line', 'data: x\r\n\r', ['message:x']),
  input('JSON over several lines', 'data: {"a":\ndata: [1,\ndata: 2]}\n\n', ['message:{"a":\n[1,\n2]}']),
  input('two to four bytes a character', 'id: é€😀\ndata: é€😀\n\n', ['message:é€😀#é€😀']),
  input(
    'bytes that are no UTF-8',
    ['data: ', [0xc3, 0x28], ' ', [0xff, 0xfe], '\n\n'],
    ['message:\ufffd( \ufffd\ufffd'],
  ),
  input('a character cut off by a line end', ['data: a', [0xe2, 0x82], '\n\n'], ['message:a\ufffd']),
  input('what looks like a line end', 'data: a\u2028b\u2029c\u0085d\n\n', ['message:a\u2028b\u2029c\u0085d']),
  input('a NUL in the data', 'data: a\0b\n\n', ['message:a\0b']),
  input('types that every object inherits', 'event: __proto__\ndata: x\n\nevent: constructor\ndata: y\n\n', [
    '__proto__:x',
    'constructor:y',
  ]),
]
