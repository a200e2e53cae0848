import { useState, type ReactNode } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { adminMembershipApi, type AdminOrder } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { contentText } from './order-text.ts';

type Action = 'confirm' | 'cancel' | 'refund';

const CALLS = {
  confirm: { call: adminMembershipApi.confirmOrder, said: 'admin.said.orderPaid' },
  cancel: { call: adminMembershipApi.cancelOrder, said: 'admin.said.orderCanceled' },
  refund: { call: adminMembershipApi.refundOrder, said: 'admin.said.orderRefunded' },
} as const;

/** An order with its details and the actions that its state allows. Each says what it does before it does it. */
export function OrderDialog({ order: listed, onClose }: { order: AdminOrder; onClose: () => void }) {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const errorText = useErrorText();
  const [question, setQuestion] = useState<Action>();
  const [isBusy, setBusy] = useState(false);
  const details = useQuery({
    queryKey: ['admin', 'order', listed.id],
    queryFn: () => call(adminMembershipApi.order, { params: { id: listed.id } }),
    staleTime: 0,
  });
  const order = details.data?.order ?? listed;
  const { state, reference, price, buyer } = order;
  const payment = details.data?.payment;
  const product = contentText(t, order);

  const act = async (action: Action): Promise<void> => {
    const { call: spec, said } = CALLS[action];
    setBusy(true);
    try {
      const { changed } = await call(spec, { params: { id: order.id } });
      toast.show(
        changed
          ? { text: t(said, { reference }), tone: 'success' }
          : { text: t('admin.said.orderUnchanged', { reference }), tone: 'danger' },
      );
    } catch (error) {
      toast.show({ text: errorText(error), tone: 'danger' });
    }
    await client.invalidateQueries({ queryKey: ['admin', 'orders'] });
    onClose();
  };

  if (question) {
    const texts = {
      confirm: {
        title: t('admin.orders.confirm.title', { price }),
        text: t('admin.orders.confirm.text', { reference, product, buyer }),
        label: t('admin.orders.confirm'),
      },
      cancel: {
        title: t('admin.orders.cancel.title', { reference }),
        text: t('admin.orders.cancel.text'),
        label: t('payment.order.cancel'),
      },
      refund: {
        title: t('admin.orders.refund.title', { price }),
        text: t(payment ? 'admin.orders.refund.online' : 'admin.orders.refund.transfer', { product, buyer }),
        label: t('admin.orders.refund.confirm'),
      },
    }[question];
    return (
      <ConfirmDialog
        isOpen
        isDanger={question !== 'confirm'}
        busy={isBusy}
        title={texts.title}
        text={texts.text}
        confirmLabel={texts.label}
        cancelLabel={t('ui.close')}
        onClose={() => setQuestion(undefined)}
        onConfirm={() => void act(question)}
      />
    );
  }

  const canConfirm = state === 'open' || state === 'expired' || state === 'canceled';
  return (
    <Dialog
      isOpen
      size="m"
      onClose={onClose}
      title={t('payment.order.title', { reference })}
      footer={
        <>
          {state === 'open' && (
            <Button onClick={() => setQuestion('cancel')}>{t('payment.order.cancel')}</Button>
          )}
          {canConfirm && (
            <Button variant="primary" onClick={() => setQuestion('confirm')}>
              {t('admin.orders.confirm')}
            </Button>
          )}
          {state === 'paid' && (
            // The question depends on how it was paid.
            <Button disabled={payment === undefined} onClick={() => setQuestion('refund')}>
              {t('admin.orders.refund')}
            </Button>
          )}
        </>
      }
    >
      {details.data?.pending && (
        <p role="status" className="mb-3 text-ink-2">
          {t('admin.orders.pending')}
        </p>
      )}
      <dl className="num grid gap-y-2.5">
        <Fact label={t('admin.orders.state')}>{t(`payment.state.${state}`)}</Fact>
        <Fact label={t('admin.orders.buyer')}>{buyer}</Fact>
        <Fact label={t('payment.order.product')}>{product}</Fact>
        <Fact label={t('payment.order.price')}>{price}</Fact>
        <Fact label={t('payment.order.date')}>
          <DateTime at={order.created_time} />
        </Fact>
        {state === 'open' && (
          <Fact label={t('admin.orders.until')}>
            <DateTime at={order.expire_time} />
          </Fact>
        )}
        {order.paid_time !== '' && (
          <Fact label={t('admin.orders.paid')}>
            <DateTime at={order.paid_time} />
          </Fact>
        )}
        {order.paid_time !== '' && payment !== undefined && (
          <Fact label={t('admin.orders.payment')}>
            {payment === '' ? t('admin.orders.transfer') : `Stripe ${payment}`}
          </Fact>
        )}
        {order.ended_time !== '' && (
          <Fact label={t('admin.orders.ended')}>
            <DateTime at={order.ended_time} />
          </Fact>
        )}
      </dl>
    </Dialog>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-ink-2">{label}</dt>
      <dd className="min-w-0 text-right font-medium [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
