import { ActionButton, type ActionProps } from '../../site/browser/parts/action-button.tsx';
import { staffMessage } from './staff-words.ts';

/** A button of the office that does something. */
export const Action = (props: ActionProps) => <ActionButton explain={staffMessage} {...props} />;
