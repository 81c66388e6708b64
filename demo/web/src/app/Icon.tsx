const paths = {
  assistant: 'M4 5h12v8H9l-4 3v-3H4zM7.5 9h.01M10 9h.01M12.5 9h.01',
  close: 'M5 5l10 10M15 5L5 15',
  dark: 'M16 11.5A6.5 6.5 0 0 1 8.5 4a6.5 6.5 0 1 0 7.5 7.5z',
  document: 'M5.5 3h6l3.5 3.5V17h-9.5zM11.5 3v3.5H15M8 10.5h4.5M8 13.5h4.5',
  light:
    'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 2v1.5M10 16.5V18' +
    'M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M15.7 4.3l-1.1 1.1M5.4 14.6l-1.1 1.1',
  list: 'M4 5.5h12M4 10h12M4 14.5h8',
  pen: 'M4 16l.8-3.2L13.5 4a1.5 1.5 0 0 1 2.2 0l.3.3a1.5 1.5 0 0 1 0 2.2L7.2 15.2zM12 5.5L14.5 8',
  plus: 'M10 4v12M4 10h12',
  search: 'M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4zM12.7 12.7L16.5 16.5',
  system: 'M3 4.5h14v9H3zM7.5 16.5h5M10 13.5v3',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l.7 10.5h7.6L14.5 6M8.5 9v4.5M11.5 9v4.5',
} as const

export type IconName = keyof typeof paths

/** A line icon of 20 px; always beside words or inside a control that has a name of its own. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
