/** Something was cut off the address of the page. */
export const INCOMPLETE =
  'This link is incomplete.\nOpen it again where you found it: a check on GitHub has it under Details.';
