import { geoEqualEarth, geoPath } from 'd3-geo';
import { scaleSqrt } from 'd3-scale';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'world-atlas/countries-110m.json';
import classes from './charts.module.css';
import { inFull } from './numbers.ts';

const WIDTH = 720;
const HEIGHT = 350;

type Countries = Topology<{ countries: GeometryCollection<{ name: string }> }>;
// The file is what its package says that it is; TypeScript reads its numbers as a list of any length.
const topology: unknown = atlas;
const isTopology = (value: unknown): value is Countries =>
  typeof value === 'object' && value !== null && 'objects' in value && 'arcs' in value;
if (!isTopology(topology)) throw new Error('The map of the world is no topology.');

/** The map numbers countries as ISO 3166 does; the browser knows which letters belong to a number. */
const codeOf = (id: string | number | undefined): string => {
  const number = String(id ?? '');
  return /^\d{3}$/.test(number) ? (new Intl.Locale(`und-${number}`).region ?? '') : '';
};
// Antarctica would take a quarter of the map.
const land = feature(topology, topology.objects.countries).features.filter(({ id }) => id !== '010');
const path = geoPath(geoEqualEarth().fitSize([WIDTH, HEIGHT], { type: 'FeatureCollection', features: land }));
const shapes = land.map((one) => ({ code: codeOf(one.id), name: one.properties.name, d: path(one) ?? '' }));

interface WorldMapProps {
  label: string;
  /** By the two letters of ISO 3166. */
  counts: Map<string, number>;
  nameOf: (code: string) => string;
}

/** How much comes from where; the table beside it says it in numbers. */
export default function WorldMap({ label, counts, nameOf }: WorldMapProps) {
  const most = Math.max(1, ...counts.values());
  const strength = scaleSqrt().domain([0, most]).range([18, 100]);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} style={{ display: 'block', width: '100%' }}>
      {shapes.map(({ code, name, d }) => {
        const count = counts.get(code) ?? 0;
        const fill =
          count > 0
            ? `color-mix(in srgb, var(--chart-1) ${strength(count).toFixed(0)}%, var(--mantine-color-body))`
            : 'var(--mantine-color-default-border)';
        return (
          <path key={name} className={classes.land} d={d} fill={fill}>
            {count > 0 && <title>{`${nameOf(code)}: ${inFull(count)}`}</title>}
          </path>
        );
      })}
    </svg>
  );
}
