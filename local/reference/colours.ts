/**
 * The colours of texts on the reference page, by theme. Scalar's own greys and the colours of its methods have too little contrast with the
 * backgrounds on which they stand: WCAG AA asks for 4.5 to 1.
 */
export const themes = {
  light: {
    backgrounds: ['#ffffff', '#f6f6f6', '#e7e7e7'],
    texts: {
      'color-2': '#595959',
      'color-3': '#5f5f5f',
      'color-accent': '#005a9c',
      'color-green': '#00613f',
      'color-red': '#b00004',
      'color-yellow': '#6b5000',
      'color-blue': '#005a9c',
      'color-orange': '#8f3f00',
      'color-purple': '#5203d1',
    },
  },
  dark: {
    backgrounds: ['#0f0f0f', '#1a1a1a', '#272727'],
    texts: {
      'color-2': '#b0b0b0',
      'color-3': '#9e9e9e',
      'color-accent': '#5cc3ff',
      'color-green': '#3ddc97',
      'color-red': '#ff8a8a',
      'color-yellow': '#ffd75e',
      'color-blue': '#5cc3ff',
      'color-orange': '#ffa85c',
      'color-purple': '#c4a3ff',
    },
  },
} as const;

/** The class stands twice, so that the rule wins against Scalar's own, wherever Scalar puts it. */
export const themeCss = Object.entries(themes)
  .map(([name, { texts }]) => {
    const colours = Object.entries(texts).map(([text, colour]) => `--scalar-${text}: ${colour};`);
    return `.${name}-mode.${name}-mode { ${colours.join(' ')} }`;
  })
  .join('\n');
