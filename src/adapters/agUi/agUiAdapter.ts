/** The adapter's name, which stands in its errors. */
export const agUiAdapter = 'ag-ui'
