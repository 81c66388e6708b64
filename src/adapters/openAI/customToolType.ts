/** The kind of a call whose arguments are text, as a call's `meta.openai` notes it. */
export const customToolType = 'custom_tool_call'
