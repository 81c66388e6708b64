interface Phrase {
  en: string
  zh: string
}

const define = <Key extends string>(table: Record<Key, Phrase>) => table

/** What the local model can say. */
export const phrases = define({
  help: {
    en:
      'I am the small model that runs inside this demo, so I understand only some requests: find and quote ' +
      'what the documents say, add a section to a document, shorten it, rename it, replace "one text" with ' +
      '"another" in it, ask you which limit to change, write a new document, compare two, publish one, or ' +
      'remember something. For example: "Add a section about parking to the onboarding guide."',
    zh: '我是内置在这个演示里的小模型，只懂一部分请求：查找并引用文档内容、给文档加一节、精简、重命名、把文档里的“旧文字”改成“新文字”、问你要改哪个限额、写新文档、比较两篇文档、发布文档、记住一件事。例如：“给入职指南加一节关于停车的内容”。',
  },
  unknownThought: {
    en: 'I do not recognise a task in this that I can do with my tools, so I should say what I can do.',
    zh: '我没有看出可以用工具完成的任务，应该说明我能做什么。',
  },
  searchThought: {
    en: 'The person means "{target}". I do not know which document that is yet, so I search for it first.',
    zh: '用户说的是“{target}”。我还不知道是哪篇文档，先搜索。',
  },
  search: { en: 'Let me find "{target}".', zh: '我先查找“{target}”。' },
  readThought: {
    en: '"{title}" fits best. I need its text before I can go on.',
    zh: '“{title}”最符合。继续之前需要先读它的内容。',
  },
  readOpenThought: {
    en: 'They mean the document at hand. I read it before I do anything with it.',
    zh: '用户指的是当前的文档。动手之前先读一遍。',
  },
  notFound: {
    en: 'I found no document about "{target}". Nothing was changed.',
    zh: '我没有找到关于“{target}”的文档，什么都没有改动。',
  },
  whichDocument: {
    en: 'Which document do you mean? Open it or name it, and I will go on.',
    zh: '你指的是哪篇文档？请打开它或说出它的名字。',
  },
  failed: { en: 'That did not work: {message} Nothing was changed.', zh: '没有成功：{message} 什么都没有改动。' },
  rejected: {
    en: 'All right, I left it as it was. Nothing was changed.',
    zh: '好的，我保持原样，什么都没有改动。',
  },
  planOnly: {
    en: 'In plan mode I change nothing. What I would do: {plan} Shall I, outside plan mode?',
    zh: '计划模式下我不会改动任何内容。我会这样做：{plan} 需要在普通模式下执行吗？',
  },
  whichThought: {
    en: '"{title}" sets several limits, and only the person knows which one they mean. I ask.',
    zh: '“{title}”里有多个限额，只有用户知道指的是哪个。我来问。',
  },
  whichLimit: { en: 'Which limit in "{title}" shall I change?', zh: '要改“{title}”里的哪个限额？' },
  insteadThought: {
    en: 'I know which one. What it should be, I cannot find in any document.',
    zh: '知道是哪个了。要改成多少，文档里查不到。',
  },
  insteadOfLimit: { en: 'What shall it be instead of "{limit}"?', zh: '“{limit}”要改成什么？' },
  limitUnclear: {
    en: 'I do not see which limit in "{title}" you mean by "{answer}". Nothing was changed.',
    zh: '我没有看出“{answer}”指的是“{title}”里的哪个限额，什么都没有改动。',
  },
  noLimits: { en: '"{title}" sets no limit that I could change.', zh: '“{title}”里没有可以修改的限额。' },
  changeThought: {
    en: 'I have the text of "{title}". The change goes to the person as a preview; only their approval makes it real.',
    zh: '我已经读了“{title}”。改动会先以预览的形式给用户，得到批准才会生效。',
  },
  addPlan: { en: 'add a section "{heading}" to "{title}".', zh: '在“{title}”里加一节“{heading}”。' },
  addSay: { en: 'I will add a section "{heading}" to "{title}".', zh: '我准备在“{title}”里加一节“{heading}”。' },
  addDone: { en: 'Done: "{title}" now has the section "{heading}".', zh: '完成：“{title}”里已经有“{heading}”一节了。' },
  shortenPlan: { en: 'shorten "{title}".', zh: '精简“{title}”。' },
  shortenSay: { en: 'I will shorten "{title}" to its main points.', zh: '我准备把“{title}”精简到要点。' },
  shortenDone: { en: 'Done: "{title}" is shorter now.', zh: '完成：“{title}”已经精简了。' },
  renamePlan: { en: 'rename "{title}" to "{name}".', zh: '把“{title}”改名为“{name}”。' },
  renameSay: { en: 'I will rename "{title}" to "{name}".', zh: '我准备把“{title}”改名为“{name}”。' },
  renameDone: { en: 'Done: it is called "{name}" now.', zh: '完成：现在它叫“{name}”。' },
  replacePlan: { en: 'replace "{from}" with "{to}" in "{title}".', zh: '把“{title}”里的“{from}”改成“{to}”。' },
  replaceSay: { en: 'I will replace "{from}" with "{to}" in "{title}".', zh: '我准备把“{title}”里的“{from}”改成“{to}”。' },
  replaceDone: { en: 'Done: "{title}" now says "{to}".', zh: '完成：“{title}”里现在写的是“{to}”。' },
  nothingToShorten: { en: '"{title}" is as short as I can make it.', zh: '“{title}”已经无法再精简了。' },
  textNotThere: {
    en: '"{title}" does not contain "{from}", so I changed nothing.',
    zh: '“{title}”里没有“{from}”，所以我没有改动。',
  },
  edited: {
    en: 'You edited the change before approving it, and your version is the one that counts.',
    zh: '你在批准前修改了内容，以你的版本为准。',
  },
  writeThought: {
    en: 'They want a new document about "{topic}". I draft it and let them see it before it exists.',
    zh: '用户想要一篇关于“{topic}”的新文档。我先起草，创建之前给用户看。',
  },
  writeSay: { en: 'I will write a new document "{title}".', zh: '我准备写一篇新文档“{title}”。' },
  writePlan: { en: 'write a new document "{title}".', zh: '写一篇新文档“{title}”。' },
  writeDone: { en: 'Done: the document "{title}" is there.', zh: '完成：文档“{title}”已经创建。' },
  publishThought: {
    en: 'Publishing shows "{title}" to the public, so the person has to confirm it.',
    zh: '发布会让“{title}”对外公开，需要用户确认。',
  },
  publishSay: { en: 'I will publish "{title}".', zh: '我准备发布“{title}”。' },
  publishPlan: { en: 'publish "{title}".', zh: '发布“{title}”。' },
  publishDone: { en: 'Done: "{title}" is published (version {version}).', zh: '完成：“{title}”已发布（版本 {version}）。' },
  publishFailed: {
    en: 'I could not publish it: {message} Nothing was published.',
    zh: '没有发布成功：{message} 什么都没有公开。',
  },
  rememberThought: {
    en: 'They want me to keep this for later conversations. That needs their confirmation.',
    zh: '用户希望我记住这件事，这需要确认。',
  },
  rememberSay: { en: 'I will remember that.', zh: '我来记住这件事。' },
  rememberPlan: { en: 'remember: {text}.', zh: '记住：{text}。' },
  rememberDone: { en: 'I will remember: {text}', zh: '我记住了：{text}' },
  rememberRejected: { en: 'All right, I did not keep that. Nothing was changed.', zh: '好的，我没有记下，什么都没有改动。' },
  recall: { en: 'I remember:\n\n{list}', zh: '我记得：\n\n{list}' },
  recallNothing: { en: 'I remember nothing yet.', zh: '我还没有记住任何事情。' },
  recallThought: { en: 'What I remember stands in my instructions.', zh: '我记得的内容就在我的说明里。' },
  listThought: { en: 'An empty search lists all documents.', zh: '空的搜索会列出所有文档。' },
  list: { en: 'These are the documents:\n\n{list}', zh: '目前的文档有：\n\n{list}' },
  answerThought: {
    en: 'I have read "{title}". I quote the lines that answer the question, and add nothing of my own.',
    zh: '我已经读了“{title}”。引用其中回答问题的句子，不添加自己的内容。',
  },
  answer: { en: '"{title}" says:\n\n{quotes}', zh: '“{title}”里写道：\n\n{quotes}' },
  summary: { en: '"{title}" in short:\n\n{points}', zh: '“{title}”的要点：\n\n{points}' },
  noAnswer: {
    en: 'None of the documents says anything about that.',
    zh: '没有文档提到这件事。',
  },
  compareThought: {
    en: 'I need both documents, and can look for them at the same time.',
    zh: '两篇文档都需要，可以同时查找。',
  },
  compareReadThought: { en: 'Both are found. Now I read them.', zh: '两篇都找到了，现在来读。' },
  compareSameThought: { en: 'I have both texts and can set them side by side.', zh: '两篇都读了，可以并排比较。' },
  compare: {
    en:
      '**{one}** has {oneWords} words in {oneSections} sections: {oneHeadings}.\n\n**{other}** has ' +
      '{otherWords} words in {otherSections} sections: {otherHeadings}.',
    zh:
      '**{one}** 有 {oneWords} 个词、{oneSections} 节：{oneHeadings}。\n\n**{other}** 有 {otherWords} ' +
      '个词、{otherSections} 节：{otherHeadings}。',
  },
  sectionBody: {
    en:
      'Everything about {topic} in one place.\n\n- Who it concerns: everyone who reads this document.\n- ' +
      'How it works: ask your lead for the current arrangement of {topic}.\n- What is missing here: tell ' +
      'the owner of this document.',
    zh: '关于{topic}的说明都在这里。\n\n- 适用对象：所有阅读本文档的人。\n- 如何办理：{topic}的最新安排请询问你的负责人。\n- 缺少的内容：请告诉本文档的负责人。',
  },
  documentBody: {
    en:
      '# {title}\n\nThis document gathers what matters about {topic}.\n\n## Purpose\n\nAnyone who has to ' +
      'deal with {topic} finds the first steps here.\n\n## First steps\n\n1. Find out who is responsible ' +
      'for {topic}.\n2. Write down what you need and by when.\n3. Agree on it and add what you learned to ' +
      'this document.\n\n## Questions\n\nAsk the owner of this document.\n',
    zh:
      '# {title}\n\n这篇文档汇总了关于{topic}的要点。\n\n## 目的\n\n需要处理{topic}的人可以在这里找到最初的步骤。\n\n## 步骤\n\n1. ' +
      '确认谁负责{topic}。\n2. 写下你需要什么、何时需要。\n3. 达成一致，并把经验补充到这篇文档。\n\n## 疑问\n\n请联系本文档的负责人。\n',
  },
})

export type PhraseKey = keyof typeof phrases
