"""A shop in Python with the generated client. Each command prints what it learned as one line of JSON."""

import json
import os
import sys

import httpx
from trade_print import AuthenticatedClient
from trade_print.api.artwork import create_upload
from trade_print.api.events import get_latest_event, list_events
from trade_print.api.orders import create_order, list_orders
from trade_print.api.quotes import create_quote
from trade_print.models import CreateOrderBody, CreateQuoteBody, CreateUploadBody
from trade_print.models import CreateUploadBodyContentType as ContentType
from trade_print.types import UNSET

client = AuthenticatedClient(base_url=os.environ["TRADE_PRINT_URL"], token=os.environ["TRADE_PRINT_KEY"])


def upload(picture: bytes) -> str:
    body = CreateUploadBody(filename="dunes.png", content_type=ContentType.IMAGEPNG, size_bytes=len(picture))
    target = create_upload.sync(client=client, body=body).data
    httpx.put(target.upload_url, content=picture, headers={"Content-Type": target.content_type}, timeout=None).raise_for_status()
    return target.url


def quote(basket: dict) -> str:
    refusal = create_quote.sync(client=client, body=CreateQuoteBody.from_dict(basket)).error
    assert refusal.code == "SHIPPING_UNAVAILABLE"
    option = next(one for one in refusal.details.shipping_options if not one.requires_quote and not one.is_collection)
    chosen = CreateQuoteBody.from_dict({**basket, "shippingMethodId": option.id})
    return create_quote.sync(client=client, body=chosen).data.quote_id


def place(quote_id: str, key: str):
    return create_order.sync_detailed(client=client, body=CreateOrderBody(quote_id=quote_id), idempotency_key=key)


def order(basket: str) -> object:
    quote_id = quote(json.loads(basket.replace("ARTWORK", upload(b"0123456789"))))
    first, again = place(quote_id, f"{quote_id}-1").parsed.data, place(quote_id, f"{quote_id}-1").parsed.data
    return {"quoteId": quote_id, "orderId": first.order_id, "status": first.status, "again": again.order_id}


def order_again(quote_id: str) -> object:
    answer = place(quote_id, f"{quote_id}-2")
    error = answer.parsed.error
    return {"status": answer.status_code.value, "code": error.code, "details": error.details.to_dict() if hasattr(error.details, "to_dict") else error.details}


def orders() -> object:
    return [[one.order_id, one.status] for one in list_orders.sync(client=client).data]


def latest() -> object:
    return get_latest_event.sync(client=client).data.id


def catch_up(after: str, seen: str) -> object:
    """Handles every event behind `after` that no webhook has brought; returns them and where to go on."""
    known, handled, last, cursor = set(json.loads(seen)), [], after, after
    while cursor is not None:
        page = list_events.sync(client=client, after=cursor or UNSET, limit=1)
        for event in page.data:
            last = event.id
            if event.id not in known:
                handled.append([event.type_, event.data.order_id])
        cursor = page.next_cursor
    return {"handled": handled, "last": last}


print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
