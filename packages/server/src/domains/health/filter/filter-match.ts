import { holds, matchesNode } from '../../../kernel/filter/filter-match.ts';
import type { FilterFields } from './event-properties.ts';
import { foldCase } from './facet-names.ts';
import type { FilterNode } from './filter-ast.ts';

export const matchesFilter = (node: FilterNode, fields: FilterFields): boolean =>
  matchesNode(node, ({ property, ...comparison }) => {
    const value = fields[property];
    if (typeof value !== 'object') return holds(value, comparison);
    const isThere = value.some((entry) => foldCase(entry) === foldCase(String(comparison.value)));
    return isThere === (comparison.operator === 'eq');
  });
