/** `check-out-basket` as the name of a type: `CheckOutBasket`. */
export function pascalCase(id: string): string {
  return id.replaceAll(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
