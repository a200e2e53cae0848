import { useState, type FormEvent } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { UserMinus } from 'lucide-react';
import { peopleApi, type AccessGrant } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { randomHex } from '#app/browser/device.ts';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Avatar } from '#app/ui/avatar.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { PEOPLE, useAccessChange } from './people-query.ts';

/** People with access to a file or folder of the member: invites others, and ends their access. */
export function PeoplePanel({ fileId }: { fileId: string }) {
  const t = useT();
  const call = useCall();
  const text = useErrorText();
  const people = useQuery({
    queryKey: [...PEOPLE, fileId],
    queryFn: () => call(peopleApi.list, { params: { id: fileId } }),
  });
  return (
    <div className="grid gap-5">
      <Invitation fileId={fileId} />
      {people.isError && (
        <p role="alert" className="text-danger">
          {text(people.error)}
        </p>
      )}
      {people.isPending && <Skeleton className="h-12" />}
      {people.data && (
        <ul aria-label={t('people.people')} className="grid gap-1">
          <li className="flex min-h-12 items-center gap-3">
            <Avatar name={people.data.owner.name} picture={people.data.owner.avatar} />
            <bdi className="min-w-0 flex-1 truncate font-medium">{people.data.owner.name}</bdi>
            <span className="text-13 text-ink-2">{t('people.role.owner')}</span>
          </li>
          {people.data.people.map((grant) => (
            <PersonRow key={grant.id} grant={grant} fileId={fileId} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Invitation({ fileId }: { fileId: string }) {
  const t = useT();
  const call = useCall();
  const text = useErrorText();
  const client = useQueryClient();
  const [to, setTo] = useState('');
  const invite = useMutation({
    mutationFn: () =>
      call(
        peopleApi.invite,
        { params: { id: fileId }, body: { to: to.trim(), role: 'viewer' } },
        { idempotencyKey: randomHex() },
      ),
    onSuccess({ person }) {
      setTo('');
      toast.show({ text: t('people.invited', { name: person.name }) });
      void client.invalidateQueries({ queryKey: PEOPLE });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (to.trim() !== '') invite.mutate();
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <TextField
        label={t('people.to')}
        hint={t('people.hint')}
        error={invite.isError ? text(invite.error) : undefined}
        value={to}
        maxLength={254}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => {
          setTo(event.currentTarget.value);
          if (invite.isError) invite.reset();
        }}
      />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" busy={invite.isPending} disabled={to.trim() === ''}>
          {t('people.invite')}
        </Button>
      </div>
    </form>
  );
}

function PersonRow({ grant, fileId }: { grant: AccessGrant; fileId: string }) {
  const t = useT();
  const call = useCall();
  const { id, person } = grant;
  const remove = useAccessChange(
    () => call(peopleApi.remove, { params: { id } }, { idempotencyKey: randomHex() }),
    () => void toast.show({ text: t('people.removed', { name: person.name }) }),
  );
  const isInherited = grant.file_id !== fileId;
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1">
      <Avatar name={person.name} picture={person.avatar} />
      <span className="grid min-w-0 flex-1">
        <bdi className="truncate font-medium">{person.name}</bdi>
        {isInherited && (
          <span className="truncate text-13 text-ink-2">
            {t('people.inherited', { folder: shownName(grant.file_name) })}
          </span>
        )}
      </span>
      {grant.pending && <Badge>{t('people.pending')}</Badge>}
      {!grant.pending && <span className="text-13 text-ink-2">{t(`people.role.${grant.role}`)}</span>}
      <IconButton
        label={t('people.remove', { name: person.name })}
        icon={<UserMinus />}
        disabled={remove.isPending}
        onClick={() => remove.mutate(undefined)}
      />
    </li>
  );
}
