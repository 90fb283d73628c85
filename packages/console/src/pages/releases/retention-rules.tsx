import { Checkbox, Group, NumberInput, Paper, Text } from '@mantine/core';
import { releaseRetention_set } from '@mooring/contract';
import { useState } from 'react';
import {
  type EffectiveRetention,
  type RetentionPreview,
  type RetentionRule,
  usePreviewRetention,
  useReleaseRetention,
  useSetRetention,
} from '../../api/releases/release-retention.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { type Fields, Form } from '../../components/forms/form.tsx';
import { Section } from '../../components/layout/page.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { formatSize } from '../../components/text/format-size.ts';
import { useCurrentApp } from '../../context/permissions.ts';

/** Retention rule of the app, with a preview. */
export function RetentionRules() {
  const { appRef, can } = useCurrentApp();
  const retention = useReleaseRetention(appRef);
  return (
    <Section title="Release retention" description="Old releases and their files are deleted hourly.">
      <Paper withBorder p="lg" maw={720}>
        <QueryBoundary query={retention}>
          {(rule) => (
            <>
              <Text size="sm">{formatRule(rule)}</Text>
              {can(releaseRetention_set) && <Rule rule={rule} />}
            </>
          )}
        </QueryBoundary>
      </Paper>
    </Section>
  );
}

export function formatRule({ keep_last, keep_days, keep_latest, source }: EffectiveRetention): string {
  if (keep_last === undefined && keep_days === undefined) return 'Keeps all releases.';
  const conditions = [
    ...(keep_last === undefined ? [] : [`the last ${formatCount(keep_last, 'release')}`]),
    ...(keep_days === undefined ? [] : [`releases of the last ${formatCount(keep_days, 'day')}`]),
    ...(keep_latest ? ['the latest release of each group and releases in a store'] : []),
  ];
  const lead = source === 'organization' ? 'The organization keeps' : 'Keeps';
  return `${lead} ${conditions.join(', and ')}.`;
}

const numberIn = (fields: Fields, name: string): number | undefined => {
  const typed = fields.text(name);
  return typed === undefined ? undefined : Number(typed);
};

function Rule({ rule }: { rule: EffectiveRetention }) {
  const { appRef } = useCurrentApp();
  const preview = usePreviewRetention(appRef);
  const setting = useSetRetention(appRef);
  return <RuleForm rule={rule} preview={preview} setting={setting} listDeleted={(data) => [{ ...data, name: '' }]} />;
}

/** Releases to delete, by app. */
type Gone = (RetentionPreview & { name: string })[];

interface RuleFormProps<Preview> {
  rule: EffectiveRetention;
  preview: {
    data: Preview | undefined;
    isPending: boolean;
    error: unknown;
    mutate: (rule: RetentionRule, options: { onSuccess: () => void }) => void;
  };
  setting: {
    isPending: boolean;
    error: unknown;
    mutate: (rule: RetentionRule, options: { onSuccess: () => void }) => void;
    reset: () => void;
  };
  listDeleted: (preview: Preview) => Gone;
}

/** A rule form that previews deletions before it saves. */
export function RuleForm<Preview>({ rule, preview, setting, listDeleted }: RuleFormProps<Preview>) {
  const [pendingRule, setPendingRule] = useState<RetentionRule>();
  const close = () => {
    setPendingRule(undefined);
    setting.reset();
  };
  const send = (fields: Fields) => {
    const [keep_last, keep_days] = [numberIn(fields, 'keep_last'), numberIn(fields, 'keep_days')];
    const newRule: RetentionRule = {
      ...(keep_last === undefined ? {} : { keep_last }),
      ...(keep_days === undefined ? {} : { keep_days }),
      keep_latest: fields.isOn('keep_latest'),
    };
    preview.mutate(newRule, { onSuccess: () => setPendingRule(newRule) });
  };
  const all = preview.data === undefined ? undefined : listDeleted(preview.data);
  return (
    <>
      <Form action="Preview rule" sending={preview} isFleeting onSend={send}>
        <Group gap="md" align="flex-start" mt="sm">
          <NumberInput
            name="keep_last"
            label="Number of releases"
            description="Keep this many of the latest releases. Leave empty to ignore their number."
            defaultValue={rule.keep_last ?? ''}
            min={1}
            max={10_000}
            allowDecimal={false}
          />
          <NumberInput
            name="keep_days"
            label="Days"
            description="Keep releases for this many days. Leave empty to ignore their age."
            defaultValue={rule.keep_days ?? ''}
            min={1}
            max={3650}
            allowDecimal={false}
          />
        </Group>
        <Checkbox
          name="keep_latest"
          label="Always keep the latest release of each group and releases in a store"
          defaultChecked={rule.keep_latest}
        />
      </Form>
      {pendingRule && all && (
        <ConfirmDialog
          title="Save retention rule?"
          action="Save rule"
          isDangerous={all.some(({ releases }) => releases.length > 0)}
          mutation={setting}
          onConfirm={() => setting.mutate(pendingRule, { onSuccess: close })}
          onClose={close}
        >
          <WhatGoes all={all} />
        </ConfirmDialog>
      )}
    </>
  );
}

const VISIBLE_RELEASES = 20;

function WhatGoes({ all }: { all: Gone }) {
  const releases = all.flatMap(({ name, releases }) => releases.map((release) => ({ ...release, name })));
  if (releases.length === 0) return <Text>No release will be deleted now.</Text>;
  return (
    <>
      <Text>
        {formatCount(releases.length, 'release')} of {formatSize(all.reduce((sum, { size }) => sum + size, 0))} will be
        deleted within an hour, with their files. This cannot be undone.
      </Text>
      <Text size="sm" component="ul" m={0}>
        {releases.slice(0, VISIBLE_RELEASES).map(({ name, id, short_version, version }) => (
          <li key={`${name} ${id}`}>
            {name && `${name}: `}
            {short_version} ({version}), release {id}
          </li>
        ))}
        {releases.length > VISIBLE_RELEASES && <li>and {releases.length - VISIBLE_RELEASES} more</li>}
      </Text>
    </>
  );
}
