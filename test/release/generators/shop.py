"""Places and reads an order with the Python client of OpenAPI Generator. Prints one line of JSON."""

import json
import os
import sys
import urllib.request

from openapi_client import ApiClient, ApiException, ArtworkApi, Configuration, CreateOrderRequest, CreateQuoteRequest
from openapi_client import CreateUploadRequest, ErrorEnvelope, LineItem, LineItemVariantSelections, OrdersApi, QuotesApi, ShippingAddress

client = ApiClient(Configuration(host=os.environ["API"], access_token=os.environ["KEY"]))


def upload(picture: bytes) -> str:
    request = CreateUploadRequest(filename="dunes.png", contentType="image/png", sizeBytes=len(picture))
    target = ArtworkApi(client).create_upload(request).data
    headers = {"Content-Type": target.content_type}
    urllib.request.urlopen(urllib.request.Request(target.upload_url, data=picture, method="PUT", headers=headers)).close()
    return target.url


def error_of(exception: ApiException):
    return ErrorEnvelope.from_json(exception.body).error


def order() -> dict:
    selections = LineItemVariantSelections(artworkWidthMm="300", artworkHeightMm="400", mediaId="media-cotton-rag-310")
    item = LineItem(productSlug="fine-art-printing", quantity=1, imageUrl=upload(b"0123456789"), variantSelections=selections)
    address = ShippingAddress(name="Ada Customer", line1="12 Hanging Lane", city="Melbourne", state="VIC", postcode="3000", country="AU", email="ada@example.com")
    basket = CreateQuoteRequest(items=[item], shippingAddress=address)
    try:
        QuotesApi(client).create_quote(basket)
    except ApiException as exception:
        refusal = error_of(exception)
    options = refusal.details.shipping_options
    basket.shipping_method_id = next(one.id for one in options if not one.requires_quote and not one.is_collection)
    quote = QuotesApi(client).create_quote(basket).data
    placed = OrdersApi(client).create_order(quote.quote_id, CreateOrderRequest(quoteId=quote.quote_id)).data
    return {"refusal": refusal.code, "quoteId": quote.quote_id, "orderId": placed.order_id, "status": placed.status, "totalCents": placed.total_cents}


def read(order_id: str, quote_id: str) -> dict:
    status = OrdersApi(client).get_order(order_id).data.status
    try:
        OrdersApi(client).create_order(f"{quote_id}-2", CreateOrderRequest(quoteId=quote_id))
    except ApiException as exception:
        return {"status": status, "code": error_of(exception).code, "orderId": error_of(exception).details.order_id}


print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
