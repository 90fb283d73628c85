const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

/** One grey point: the smallest PNG. */
export const pictureBytes = Uint8Array.from(atob(png), (sign) => sign.charCodeAt(0));

export const picture = new File([pictureBytes], 'a.png', { type: 'image/png' });
