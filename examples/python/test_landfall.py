"""Tests of the client against a playground of their own: python3 -m unittest"""

import unittest

from landfall import Client, RefusedError
from playground import Playground


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playground = Playground()

    @classmethod
    def tearDownClass(cls):
        cls.playground.close()

    def setUp(self):
        self.playground.control("POST", "/reset")
        self.client = Client(self.playground.credentials("carrier"))

    def routing(self):
        return [signal["routingResult"]["routing"] for signal in self.client.read_signals()]

    def test_goods_that_go_to_entry(self):
        self.client.present_house_consignment("HC001", "N740")
        self.assertEqual(self.routing(), ["TO_ENTRY"])

    def test_unknown_goods_are_refused(self):
        with self.assertRaises(RefusedError) as refused:
            self.client.present_house_consignment("UNKNOWN", "N740")
        self.assertTrue(refused.exception.has("REFERENCE_NOT_FOUND"))

    def test_a_lost_response_presents_once(self):
        self.playground.control("POST", "/scenarios", {"kind": "lost-response", "times": 1})
        self.client.present_house_consignment("HC001", "N740")
        self.assertEqual(self.routing(), ["TO_ENTRY"])
        self.playground.verify(scenario="lost-response", identity="carrier", times=1)
        self.playground.verify(operation="getValidationStatus", times={"atLeast": 1})

    def test_a_space_has_goods_of_its_own(self):
        with self.playground.space() as space:
            client = Client(space.credentials("carrier"))
            client.present_house_consignment("HC001", "N740")
            self.assertEqual(len(client.read_signals()), 1)
            self.assertEqual(self.routing(), [])

    def test_a_late_decision(self):
        self.playground.control("PUT", "/clock", {"running": False})
        self.playground.control("POST", "/scenarios", {"kind": "late-decision", "afterSeconds": 30})
        self.client.present_house_consignment("HC001", "N740")
        self.assertEqual(self.routing(), [])
        self.playground.control("PUT", "/clock", {"advance": 30})
        self.assertEqual(self.routing(), ["TO_ENTRY"])


if __name__ == "__main__":
    unittest.main()
