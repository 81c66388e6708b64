/** The title as it is shown: a document without one still needs a name. */
export const documentName = (title: string) => title.trim() || 'Untitled'
