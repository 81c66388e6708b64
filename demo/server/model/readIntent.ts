/** What a person asks for, as far as the local model understands it. */
export type Intent =
  | { kind: 'remember'; text: string }
  | { kind: 'recall' }
  | { kind: 'publish'; target: string }
  | { kind: 'write'; topic: string }
  | { kind: 'add'; topic: string; target: string }
  | { kind: 'shorten'; target: string }
  | { kind: 'rename'; target: string; title: string }
  | { kind: 'replace'; target: string; from: string; to: string }
  | { kind: 'list' }
  | { kind: 'compare'; one: string; other: string }
  | { kind: 'ask'; question: string }
  | { kind: 'unknown' }

type Rule = [pattern: RegExp, read: (...groups: string[]) => Intent]

const quoted = '["“”\'‘’「『]'
const unquoted = '["“”\'‘’」』]'

/** In this order: the first rule that fits decides. */
const rules: readonly Rule[] = [
  [/^(?:what|which things?) (?:do|can) you remember\b.*|^(?:你)?(?:还)?记得(?:什么|哪些).*/i, () => ({ kind: 'recall' })],
  [/^(?:remember|note|keep in mind)(?: that)?[:,]? +(.+)$/i, (text) => ({ kind: 'remember', text: text! })],
  [/^(?:请)?(?:帮我)?记住[:：,，]?(.+)$/, (text) => ({ kind: 'remember', text: text! })],
  [/^(?:please )?publish +(.+)$/i, (target) => ({ kind: 'publish', target: target! })],
  [/^(?:请)?(?:帮我)?(?:把(.+?))?(?:对外)?发布(?!说明$)(?:一下)?(.*)$/, (...found) => ({ kind: 'publish', target: pick(found) })],
  [
    new RegExp(`(?:replace|change) +${quoted}(.+?)${unquoted} +(?:with|by|to|into) +${quoted}(.*?)${unquoted} +(?:in|of|on) +(.+)`, 'i'),
    (from, to, target) => ({ kind: 'replace', from: from!, to: to!, target: target! }),
  ],
  [
    new RegExp(`^(?:in|on) +(.+?),? +(?:replace|change) +${quoted}(.+?)${unquoted} +(?:with|by|to|into) +${quoted}(.*?)${unquoted}`, 'i'),
    (target, from, to) => ({ kind: 'replace', from: from!, to: to!, target: target! }),
  ],
  [
    new RegExp(`[把将](.+?)(?:里|中|里面)的?${quoted}(.+?)${unquoted}(?:改成|换成|替换成|替换为|改为)${quoted}(.*?)${unquoted}`),
    (target, from, to) => ({ kind: 'replace', from: from!, to: to!, target: target! }),
  ],
  [
    /^(?:change|set) +(?:the +)?(?:title|name) +of +(.+?) +to +(.+)$/i,
    (target, title) => ({ kind: 'rename', target: target!, title: trimQuotes(title!) }),
  ],
  [/^rename +(.+?) +(?:to|into|as) +(.+)$/i, (target, title) => ({ kind: 'rename', target: target!, title: trimQuotes(title!) })],
  [/[把将](.+?)(?:改名为|重命名为|改名叫|更名为)(.+)$/, (target, title) => ({ kind: 'rename', target: target!, title: trimQuotes(title!) })],
  [
    /^(?:add|append|insert|include|put) +(?:(?:a|an|the|another|one|some) +)?(?:(?:new|short|small|brief) +)*(?:section|chapter|paragraph|part|note|lines?|point|bullet|item|entry|sentence)s? +(?:about|on|for|explaining|describing|that says|saying|covering) +(.+) +(?:to|in|into|at the end of) +(.+)$/i,
    (topic, target) => ({ kind: 'add', topic: topic!, target: target! }),
  ],
  [
    /^(?:add|append|insert|include|put) +(.+) +(?:to|in|into|at the end of) +(.+)$/i,
    (topic, target) => ({ kind: 'add', topic: topic!, target: target! }),
  ],
  [
    /^(?:给|在|为|往|向)(.+?)(?:里面|里|中|末尾|最后)?(?:加上|添加|增加|补充|加|写)(?:一个|一节|一段|一条|一章|个)?(?:新的?)?(?:章节|小节|段落|部分|说明)?(?:关于|讲|介绍|说明|讲解)?(.+?)(?:的(?:章节|小节|一节|段落|一段|部分|内容|说明))?$/,
    (target, topic) => ({ kind: 'add', topic: topic!, target: target! }),
  ],
  [/^(?:shorten|condense|tighten|trim|compress|cut down) +(.+)$/i, (target) => ({ kind: 'shorten', target: target! })],
  [/^make +(.+?) +shorter$/i, (target) => ({ kind: 'shorten', target: target! })],
  [/^(?:精简|缩短|压缩|简化)(?:一下)?(.+)$/, (target) => ({ kind: 'shorten', target: target! })],
  [/[把将](.+?)(?:精简|缩短|压缩|简化|改短)/, (target) => ({ kind: 'shorten', target: target! })],
  [
    /^(?:write|create|draft|start|make) +(?:me +)?(?:(?:a|an|the) +)?(?:(?:new|short|brief) +)*(?:document|doc|page|guide|note|article|text|memo|policy|one-pager)s? +(?:about|on|for|called|titled|named|explaining) +(.+)$/i,
    (topic) => ({ kind: 'write', topic: trimQuotes(topic!) }),
  ],
  [
    /^(?:写|新建|创建|起草|撰写)(?:一篇|一个|一份|一下)?(?:新的?)?(?:文档|文章|页面|说明)?[，,]?(?:关于|题为|叫|名为|介绍)?(.+?)(?:的?(?:文档|文章|页面|说明|指南))?$/,
    (topic) => ({ kind: 'write', topic: trimQuotes(topic!) }),
  ],
  [/^(?:list|show)(?: me)?(?: all)?(?: of)?(?: the| my| our)? (?:documents|docs|files)|^(?:what|which) (?:documents|docs|files)\b|^(?:列出|有哪些|显示)(?:所有)?(?:的)?文档/i, () => ({ kind: 'list' })],
  [/^compare +(.+?) +(?:and|with|to) +(.+)$/i, (one, other) => ({ kind: 'compare', one: one!, other: other! })],
  [/^(?:比较|对比)(?:一下)?(.+?)(?:和|与|跟)(.+)$/, (one, other) => ({ kind: 'compare', one: one!, other: other! })],
  [
    /^((?:what|how|when|who|where|which|why|do|does|did|can|could|is|are|may|must|should|will|has|have|summari[sz]e|explain|find|search|look up|tell me|show me)\b.*)$/i,
    (question) => ({ kind: 'ask', question: question! }),
  ],
  [/^(.*(?:[?？]|什么|怎么|如何|多少|几|哪|谁|吗|呢|是否|为何|为什么).*|(?:总结|概括|介绍|查找|查一下|搜索|告诉我).+)$/, (question) => ({ kind: 'ask', question: question! })],
]

/** Understands a prompt by its words; a polite beginning and a full stop do not count. */
export function readIntent(prompt: string): Intent {
  const text = prompt
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^(?:(?:hi|hello|hey|ok|okay)[,!.]? +)?(?:(?:please|could you|can you|would you|i want you to|i'd like you to)[,]? +)*(?=\S)/i, '')
    .replace(/^(?:你好[，,！!]?)?(?:请|麻烦|能不能|可以)?(?:你)?(?:帮我|帮忙|帮)?/, '')
    .replace(/[,]? please(?=[.!?]?$)/i, '')
    .replace(/[.!。！]+$/, '')
  const polite = /^(?:could|can|would) you\b/i.test(prompt.trim())
  const asked = polite ? text.replace(/[?？]+$/, '') : text
  for (const [pattern, read] of rules) {
    const match = pattern.exec(asked)
    if (match !== null) return read(...match.slice(1).map((group) => (group ?? '').trim()))
  }
  return { kind: 'unknown' }
}

function pick(groups: readonly string[]): string {
  return groups.find((group) => group !== '') ?? ''
}

function trimQuotes(text: string): string {
  return text.trim().replace(new RegExp(`^${quoted}|${unquoted}$`, 'g'), '').trim()
}
