/** The one question of an approval that is a plain question, as assistant-ui may ask several at once. */
export const questionId = 'answer'
