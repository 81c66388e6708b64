import { defineRule } from './defineRule.ts'
import type { IntentRule } from './intent.ts'

const inside = '(?:里面|里|中|末尾|最后)?'
const piece = '(?:章节|小节|一节|段落|一段|部分|内容|说明)'
const page = '(?:文档|文章|页面|说明|指南)'
const question = '(?:[?？]|什么|怎么|如何|多少|几|哪|谁|吗|呢|是否|为何|为什么)'

/** Chinese, in this order: the first rule that fits decides; a question mark asks in any language. */
export const chineseRules: readonly IntentRule[] = [
  defineRule('recall', '(?:你)?(?:还)?记得(?:什么|哪些).*'),
  defineRule('remember', '记住[:：,，]?(?<text>.+)'),
  defineRule('publish', '[把将](?<target>.+?)(?:对外)?发布(?:一下|出去)?'),
  defineRule('publish', '(?:对外)?发布(?:一下)?(?<target>.+)'),
  defineRule(
    'replace',
    '[把将](?<target>.+?)(?:里面|里|中)的?<from>(?:改成|换成|替换成|替换为|改为)<to>',
  ),
  defineRule('rename', '[把将](?<target>.+?)(?:改名为|重命名为|改名叫|更名为)(?<title>.+)'),
  defineRule(
    'add',
    ...['(?:给|在|为|往|向)(?<target>.+?)', inside, '(?:加上|添加|增加|补充|加|写)'],
    '(?:一个|一节|一段|一条|一章|个)?(?:新的?)?(?:章节|小节|段落|部分|说明)?(?:关于|讲解|讲|介绍|说明)?',
    ...['(?<topic>.+?)(?:的', piece, ')?'],
  ),
  defineRule('shorten', '(?:精简|缩短|压缩|简化)(?:一下)?(?<target>.+)'),
  defineRule('shorten', '[把将](?<target>.+?)(?:精简|缩短|压缩|简化|改短).*'),
  defineRule(
    'write',
    '(?:写|新建|创建|起草|撰写)(?:一篇|一个|一份|一下)?(?:新的?)?(?:文档|文章|页面|说明)?[，,]?',
    ...['(?:关于|题为|名为|叫|介绍)?(?<topic>.+?)(?:的?', page, ')?'],
  ),
  defineRule('choose', '问我要?(?:改|修改|调整)(?<target>.+?)??', inside, '的?(?:哪个|哪一个)(?:限额|上限|金额|数字|价格)'),
  defineRule('list', '(?:列出|有哪些|显示)(?:所有)?(?:的)?文档.*'),
  defineRule('compare', '(?:比较|对比)(?:一下)?(?<one>.+?)(?:和|与|跟)(?<other>.+)'),
  defineRule('ask', '(?<question>.*', question, '.*|(?:总结|概括|介绍|查找|查一下|搜索|告诉我).+)'),
]
