import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReportDetails } from '../../api/telemetry/crashes.ts';

/** The environment that a Sentry SDK described: user, contexts and extra data. */
export function ReportContexts({ details: { user, contexts = {}, extra } }: { details: ReportDetails }) {
  return (
    <Stack gap="xs">
      <Values title="User" values={user} />
      {Object.entries(contexts).map(([name, values]) => (
        <Values key={name} title={name} values={values} />
      ))}
      <Values title="Extra data" values={extra} />
    </Stack>
  );
}

function Values({
  title,
  values = {},
}: {
  title: string;
  values?: Readonly<Record<string, string | undefined>> | undefined;
}) {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return (
    <details>
      <summary>{title}</summary>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} mt="xs" mb={0} verticalSpacing="xs">
        {entries.map(([label, value]) => (
          <div key={label}>
            <Text component="dt" size="xs" c="dimmed">
              {label}
            </Text>
            <Text component="dd" size="sm" m={0}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </details>
  );
}
