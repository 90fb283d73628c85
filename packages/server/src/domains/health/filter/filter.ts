import { type FilterLanguage, formatFilterNode, parseFilterText } from '../../../kernel/filter/filter.ts';
import { eventProperties, eventPropertyNames, type FilterProperty } from './event-properties.ts';
import type { FilterNode } from './filter-ast.ts';

export { FilterProblem } from '../../../kernel/filter/filter.ts';

const properties = new Map(eventPropertyNames.map((name) => [name.toLowerCase(), name]));
properties.set('name', 'trackingId');

const language: FilterLanguage<FilterProperty> = {
  kinds: new Map(eventPropertyNames.map((name) => [name, eventProperties[name].kind])),
  find: (word) => properties.get(word.toLowerCase().replace(/^properties[/.]/, '')),
  example: "service eq 'Mail'",
};

/** Parses a $filter that is not blank; throws a FilterProblem if any part is not understood. */
export const parseFilter = (text: string): FilterNode => parseFilterText(language, text);

/** Formats a filter in its canonical form, which may be longer than the original; store the caller's text instead. */
export const formatFilter = (node: FilterNode): string => formatFilterNode(language, node);
