/** English words for what a Chinese prompt may call a document or a topic. */
const glossary: readonly [chinese: RegExp, english: string][] = [
  [/入职|新员工/, 'onboarding'],
  [/指南|手册/, 'guide'],
  [/发布说明|版本说明|更新日志/, 'release notes'],
  [/差旅|出差|旅行/, 'travel'],
  [/政策|制度/, 'policy'],
  [/报销|费用/, 'expenses'],
  [/酒店|住宿/, 'hotels'],
  [/餐|伙食/, 'meals'],
  [/会议/, 'meeting'],
  [/纪要|记录/, 'notes'],
  [/定价|价格|收费|套餐/, 'pricing'],
  [/退款/, 'refund'],
  [/折扣|优惠/, 'discounts'],
  [/付款|支付/, 'payment'],
  [/故障|事故/, 'incident'],
  [/回滚/, 'roll back'],
  [/搜索/, 'search'],
  [/密码|双重验证|两步验证/, 'two-factor authentication'],
]

/** Adds to a Chinese query the English words that documents may use for it. */
export function withEnglishWords(text: string): string {
  const words = glossary.filter(([chinese]) => chinese.test(text)).map(([, english]) => english)
  return [text, ...words].join(' ')
}
