export { isEditable } from './editable.ts';
export { useTexts, type Texts } from './use-texts.tsx';
