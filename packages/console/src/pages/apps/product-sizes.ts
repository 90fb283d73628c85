/** How many rows the cards of an app's overview have room for, from the moment on that the page is there. */
export const SHOWN = 3;
