/**
 * The decision that brings the answer to a question. What counts is the data, which only a modified one says; a runtime
 * that takes no edits takes the consent.
 */
export const getAnswerDecision = (editable: boolean | undefined) => (editable === false ? 'approved' : 'modified')
