export { createAgUiProvider } from './createAgUiProvider.ts'
export type { AgUiContext, AgUiProvider } from './createAgUiProvider.ts'
export type {
  AgUiAnswer,
  AgUiDecision,
  AgUiHttpRequest,
  AgUiMappingOptions,
  AgUiProviderOptions,
  AgUiResumeOptions,
} from './agUiOptions.ts'
export { AgUiError } from './agUiError.ts'
export type { AgUiErrorCode } from './agUiError.ts'
export { fromAgUiObservable } from './fromAgUiObservable.ts'
export type { ObservableLike } from './iterateObservable.ts'
export { toAgUiMessages } from './toAgUiMessages.ts'
export type { AgUiInput, AgUiRequest } from './agUiRequest.ts'
export type { AgUiChunk } from './agUiChunk.ts'
export type { AgUiToolResult, ToolResultClassifier, ToolVerdict } from './classifyToolResult.ts'
export type {
  AgUiContentPart,
  AgUiContextItem,
  AgUiMessage,
  AgUiPartSource,
  AgUiResumeEntry,
  AgUiRunInput,
  AgUiTool,
  AgUiToolCall,
} from './agUiWire.ts'
