import { Alert, Button, MultiSelect, Stack, Text } from '@mantine/core';
import {
  appTokenPermissions,
  type CiProvider,
  ciIssuers,
  describeToken,
  identifyingClaims,
  type TokenPermission,
} from '@mooring/contract';
import { useState } from 'react';
import { type CiRule, useCiRules, useCreateCiRule, useDeleteCiRule } from '../../api/account/ci-rules.ts';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { NameField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { LabeledSelect } from '../../components/forms/labeled-select.tsx';
import { Section } from '../../components/layout/page.tsx';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';

const providerNames: Readonly<Record<CiProvider, string>> = { github: 'GitHub Actions', gitlab: 'GitLab' };

type Described = Pick<CiRule, 'provider' | 'claims' | 'permissions'>;

/** Describes in one sentence what a rule allows. */
function describeRule({ provider, claims, permissions }: Described): string {
  const conditions = Object.entries(claims).map(([name, pattern]) => `${name} ${pattern}`);
  const jobs = `Jobs of ${providerNames[provider]}${conditions.length > 0 ? ` with ${conditions.join(' and ')}` : ''}`;
  return describeToken({ permissions }).replace('This token', jobs).replace(/\.$/, ', for 15 minutes at a time.');
}

const parseClaims = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(/[\s,]+/).flatMap((item) => {
      const [, name, pattern] = /^([a-z][a-z0-9_]*)=(.+)$/.exec(item) ?? [];
      return name && pattern ? [[name, pattern]] : [];
    }),
  );

/** Lists, adds and deletes rules that let CI jobs get tokens of the app without a stored secret. */
export function CiRules() {
  const { appRef } = useCurrentApp();
  const rules = useCiRules(appRef);
  const deletion = useConfirm<CiRule>({
    title: () => 'Delete CI rule?',
    action: 'Delete rule',
    consequence: () => 'Its tokens stop working immediately, and its jobs can no longer sign in.',
    openDialog: useDeleteCiRule(appRef),
  });
  return (
    <Section
      title="CI rules"
      description="Jobs of GitHub Actions and GitLab sign in with mooring login --ci, without a stored secret."
    >
      <QueryBoundary query={rules}>
        {({ values }) => (
          <Stack maw={720}>
            {values.length === 0 && <Text size="sm">No CI rules yet.</Text>}
            {values.map((rule) => (
              <Stack key={rule.id} gap={4}>
                <Text size="sm">{describeRule(rule)}</Text>
                <Text size="xs" c="dimmed">
                  {rule.issuer}, created by {rule.created_by}, last used{' '}
                  {rule.last_used_at ? <Time at={rule.last_used_at} /> : 'never'}
                </Text>
                <div>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Delete CI rule ${Object.values(rule.claims).join(' ')}`}
                    onClick={() => deletion.open(rule)}
                  >
                    Delete rule
                  </Button>
                </div>
              </Stack>
            ))}
            <div>
              <DialogButton variant="default" label="New CI rule">
                {(close) => <NewRule onClose={close} />}
              </DialogButton>
            </div>
          </Stack>
        )}
      </QueryBoundary>
      {deletion.dialog}
    </Section>
  );
}

function NewRule({ onClose }: { onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const creation = useCreateCiRule(appRef);
  const [provider, setProvider] = useState<CiProvider>('github');
  const [claims, setClaims] = useState('');
  const [permissions, setPermissions] = useState<TokenPermission[]>([]);
  const rule = { provider, claims: parseClaims(claims), permissions };
  return (
    <Form
      action="Create rule"
      sending={creation}
      onCancel={onClose}
      onSend={(fields) => {
        const issuer = fields.text('issuer');
        creation.mutate({ ...rule, ...(issuer ? { issuer } : {}) }, { onSuccess: onClose });
      }}
    >
      <LabeledSelect label="Provider" labels={providerNames} value={provider} onChange={setProvider} />
      <NameField
        name="claims"
        label="Claims"
        rule={{ isRequired: true }}
        description={`Separated by commas. * stands for any characters but / and :. One of ${identifyingClaims[provider].join(', ')} must name the owner.`}
        placeholder={
          provider === 'github' ? 'repository=octo/compass, ref=refs/heads/main' : 'project_path=octo/compass, ref=main'
        }
        onChange={({ currentTarget }) => setClaims(currentTarget.value)}
        data-autofocus
      />
      <NameField
        name="issuer"
        label="Issuer of a self-hosted server"
        rule={{ isRequired: false }}
        placeholder={ciIssuers[provider]}
      />
      <MultiSelect
        label="Permissions"
        description="All include reading in their area."
        data={[...appTokenPermissions]}
        value={permissions}
        onChange={(chosen) => setPermissions(chosen as TokenPermission[])}
        searchable
      />
      <Alert color="blue" role="status">
        {describeRule(rule)}
      </Alert>
    </Form>
  );
}
