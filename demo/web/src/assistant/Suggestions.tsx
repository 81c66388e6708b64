import './Suggestions.css'
import { Icon } from '../app/Icon.tsx'

const suggestions = [
  'Add a section about parking to the onboarding guide',
  'Replace "160 euros" with "175 euros" in the travel policy',
  'Ask me which limit to change in the travel policy',
  'What is the limit for hotels?',
  'Shorten this document',
  'Publish the pricing FAQ',
]

interface SuggestionsProps {
  readonly canSend: boolean
  readonly onSend: (text: string) => void
}

/** What stands there before the first message: what the assistant is for, and what could be asked. */
export function Suggestions({ canSend, onSend }: SuggestionsProps) {
  return (
    <div className="suggestions">
      <span className="suggestions-mark">
        <Icon name="assistant" />
      </span>
      <h3>What shall I do?</h3>
      <p>I find, read and change documents here. You see every change before it is made.</p>
      <ul>
        {suggestions.map((suggestion) => (
          <li key={suggestion}>
            <button type="button" className="suggestion" disabled={!canSend} onClick={() => onSend(suggestion)}>
              {suggestion}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
