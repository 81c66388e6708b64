import { defineRule } from './defineRule.ts'
import type { IntentRule } from './intent.ts'

const article = '(?:(?:a|an|the|another|one|some) +)?(?:(?:new|short|small|brief) +)*'
const piece = '(?:section|chapter|paragraph|part|note|line|point|bullet|item|entry|sentence)s?'
const page = '(?:document|doc|page|guide|note|article|text|memo|policy|one-pager)s?'
const into = ' +(?:to|in|into|at the end of) +'
const becomes = ' +(?:with|by|to|into) +'
const add = '(?:add|append|insert|include|put) +'
const replace = '(?:replace|change) +'

/** English, in this order: the first rule that fits decides. */
export const englishRules: readonly IntentRule[] = [
  defineRule('recall', '(?:what|which things?) (?:do|can) you remember\\b.*'),
  defineRule('remember', '(?:remember|note|keep in mind)(?: that)?[:,]? +(?<text>.+)'),
  defineRule('publish', 'publish +(?<target>.+)'),
  defineRule('replace', replace, '<from>', becomes, '<to> +(?:in|of|on) +(?<target>.+)'),
  defineRule('replace', '(?:in|on) +(?<target>.+?),? +', replace, '<from>', becomes, '<to>'),
  defineRule('rename', '(?:change|set) +(?:the +)?(?:title|name) +of +(?<target>.+?) +to +(?<title>.+)'),
  defineRule('rename', 'rename +(?<target>.+?) +(?:to|into|as) +(?<title>.+)'),
  defineRule(
    'add',
    ...[add, article, piece],
    ' +(?:about|on|for|explaining|describing|that says|saying|covering) +(?<topic>.+)',
    ...[into, '(?<target>.+)'],
  ),
  defineRule('add', add, '(?<topic>.+)', into, '(?<target>.+)'),
  defineRule('shorten', '(?:shorten|condense|tighten|trim|compress|cut down) +(?<target>.+)'),
  defineRule('shorten', 'make +(?<target>.+?) +shorter'),
  defineRule(
    'write',
    '(?:write|create|draft|start|make) +(?:me +)?',
    ...[article, page],
    ' +(?:about|on|for|called|titled|named|explaining) +(?<topic>.+)',
  ),
  defineRule(
    'choose',
    '(?:ask|let) me (?:which|what) (?:limit|amount|price|number)s? (?:to|i want to) (?:change|raise|lower|update)',
    '(?: +(?:in|of|on) +(?<target>.+))?',
  ),
  defineRule('list', '(?:list|show)(?: me)?(?: all)?(?: of)?(?: the| my| our)? (?:documents|docs|files)\\b.*'),
  defineRule('list', '(?:what|which) (?:documents|docs|files)\\b.*'),
  defineRule('compare', 'compare +(?<one>.+?) +(?:and|with|to) +(?<other>.+)'),
  defineRule(
    'ask',
    '(?<question>(?:what|how|when|who|where|which|why|do|does|did|can|could|is|are|may|must|should|will|has|have|',
    'summari[sz]e|explain|find|search|look up|tell me|show me)\\b.*)',
  ),
]
