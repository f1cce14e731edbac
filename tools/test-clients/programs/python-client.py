import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from gateline_client import AuthenticatedClient
from gateline_client.api.baskets import add_basket_item, check_out_basket, open_basket
from gateline_client.api.events import list_event_prices, list_events
from gateline_client.api.orders import retrieve_order
from gateline_client.api.webhooks import (
    create_webhook_endpoint,
    delete_webhook_endpoint,
    test_webhook_endpoint,
)
from gateline_client.models import (
    AddBasketItemJsonBody,
    CheckOutBasketJsonBody,
    CheckOutBasketJsonBodyCustomer,
    CreateWebhookEndpointJsonBody,
    CreateWebhookEndpointJsonBodyTypesItem,
    ListEventsEventStatusId,
    OpenBasketJsonBody,
    WebhookTestEvent,
)

client = AuthenticatedClient(
    base_url=os.environ["GATELINE_URL"], token=os.environ["GATELINE_API_KEY"], timeout=60, raise_on_unexpected_status=True
)
events = list_events.sync(client=client, event_status_id=ListEventsEventStatusId("1"))
event = next(event for event in events.data if not event.reserved_seating and not event.sold_out)
prices = list_event_prices.sync(event.event_id, client=client)
basket = open_basket.sync(client=client, body=OpenBasketJsonBody(org=os.environ["GATELINE_ORG"]))
add_basket_item.sync(
    basket.id, client=client, body=AddBasketItemJsonBody(price_id=prices.data[0].price_id, quantity=2)
)
customer = CheckOutBasketJsonBodyCustomer(email="ada@example.com", first_name="Ada", last_name="Lovelace")
order = check_out_basket.sync(
    basket.id, client=client, body=CheckOutBasketJsonBody(customer=customer, payment_method="pm_card_visa")
)
# LinkedOrder extends Order: generators must not lose what it adds.
found = retrieve_order.sync(order.order_id, client=client)
print(f"order {order.status.value} with {len(found.tickets)} tickets")

received = []


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *args):
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
body = CreateWebhookEndpointJsonBody(
    url=f"http://127.0.0.1:{server.server_port}/", types=[CreateWebhookEndpointJsonBodyTypesItem.WEBHOOK_TEST]
)
endpoint = create_webhook_endpoint.sync(client=client, body=body)
assert endpoint.secret
test_webhook_endpoint.sync(endpoint.webhook_endpoint_id, client=client)
server.handle_request()
event = WebhookTestEvent.from_dict(received[0])
print(f"webhook {event.data.webhook_endpoint.status.value}")
delete_webhook_endpoint.sync(endpoint.webhook_endpoint_id, client=client)
