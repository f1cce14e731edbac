import type { ComponentProps } from 'preact';

const buttonOf = (look: string) => (props: Omit<ComponentProps<'button'>, 'type' | 'class'>) => (
  <button type="button" class={look} {...props} />
);

/** What most people press next. */
export const Button = buttonOf('button');
/** Another way on. */
export const QuietButton = buttonOf('button quiet');
/** Of a line, or of a part of the page. */
export const SmallButton = buttonOf('button quiet small');
