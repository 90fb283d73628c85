/** "1 device", "1,200 devices". */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;
