import { geoEqualEarth, geoPath } from 'd3-geo';
import { scaleSqrt } from 'd3-scale';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'world-atlas/countries-110m.json';
import classes from './charts.module.css';
import { formatNumber } from './numbers.ts';

const WIDTH = 720;
const HEIGHT = 350;

type Countries = Topology<{ countries: GeometryCollection<{ name: string }> }>;
// TypeScript infers lists of any length from the JSON file.
const topology: unknown = atlas;
const isTopology = (value: unknown): value is Countries =>
  typeof value === 'object' && value !== null && 'objects' in value && 'arcs' in value;
if (!isTopology(topology)) throw new Error('The world map is not a topology.');

/** The map uses numeric ISO 3166 codes; the browser knows their letters. */
const toCountryCode = (id: string | number | undefined): string => {
  const number = String(id ?? '');
  return /^\d{3}$/.test(number) ? (new Intl.Locale(`und-${number}`).region ?? '') : '';
};
// Antarctica would take up a quarter of the map.
const land = feature(topology, topology.objects.countries).features.filter(({ id }) => id !== '010');
const path = geoPath(geoEqualEarth().fitSize([WIDTH, HEIGHT], { type: 'FeatureCollection', features: land }));
const shapes = land.map((one) => ({ code: toCountryCode(one.id), name: one.properties.name, d: path(one) ?? '' }));

interface WorldMapProps {
  label: string;
  /** By two-letter ISO 3166 code. */
  counts: Map<string, number>;
  formatName: (code: string) => string;
}

/** Values by country; a table beside it shows the numbers. */
export default function WorldMap({ label, counts, formatName }: WorldMapProps) {
  const max = Math.max(1, ...counts.values());
  const strength = scaleSqrt().domain([0, max]).range([18, 100]);
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
            {count > 0 && <title>{`${formatName(code)}: ${formatNumber(count)}`}</title>}
          </path>
        );
      })}
    </svg>
  );
}
