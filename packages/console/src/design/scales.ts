/** Text sizes, from labels in charts to the figures of cards. */
export const fontSizes = {
  xxs: '0.6875rem',
  xs: '0.75rem',
  sm: '0.875rem',
  md: '1rem',
  lg: '1.125rem',
  xl: '1.25rem',
  figure: '1.5rem',
};

/** Distances, in steps of 4 px. */
export const spacing = { xxs: '0.25rem', xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '2rem' };
